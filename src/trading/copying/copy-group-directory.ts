import type { IdentityOf } from "../../domain/account-identity.ts";
import type { IsOneMarket } from "../../domain/contracts/product.ts";
import { barLoops } from "../../domain/copying/copy-conflicts.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import { stopCrossing } from "../../domain/copying/copy-markets.ts";
import type { AccountId, CopyGroupId } from "../../domain/ids.ts";
import type { CopyGroups } from "./ports.ts";

/** More of them meet only where somebody writes without end. */
const ATTEMPTS = 10;

/** Every copy group of the appliance, at hand without a round trip. */
export class CopyGroupDirectory {
  readonly #store: CopyGroups;
  readonly #found: GroupFacts;
  #groups: readonly CopyGroup[] = [];
  /** The same with those barred that must not be copied to now. */
  #barred: readonly CopyGroup[] = [];
  #byLeader = new Map<AccountId, readonly CopyGroup[]>();
  #version: number | undefined;
  /** Changes of this process come one after another: many at once would only be in each other's way. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(store: CopyGroups, found: GroupFacts) {
    this.#store = store;
    this.#found = found;
  }

  /** Asks again what was changed since, of the groups and of who their accounts are. */
  async load(): Promise<void> {
    const isNew = (await this.#store.version()) !== this.#version;
    if (isNew) {
      const { groups, version } = await this.#store.read();
      this.#groups = groups;
      this.#version = version;
    }
    const barred = asFound(this.#groups, this.#found);
    // Whoever compares groups takes another object for a change.
    if (!isNew && barred.every((group, n) => areBarredAlike(group, this.#barred[n]))) return;
    const byLeader = new Map<AccountId, readonly CopyGroup[]>();
    for (const group of barred) {
      byLeader.set(group.leader, [...(byLeader.get(group.leader) ?? []), group]);
    }
    this.#barred = barred;
    this.#byLeader = byLeader;
  }

  leaders(): Iterable<AccountId> {
    return this.#byLeader.keys();
  }

  ledBy(leader: AccountId): readonly CopyGroup[] {
    return this.#byLeader.get(leader) ?? [];
  }

  /**
   * Changes a group as it stands now; undefined from `change` leaves it. Answers whether it was
   * changed: it may be gone, or as it is to be.
   */
  async change(
    id: CopyGroupId,
    change: (group: CopyGroup) => CopyGroup | undefined,
  ): Promise<boolean> {
    const changed = this.#changes.then(async () => await this.#change(id, change));
    this.#changes = changed.catch(() => undefined);
    return await changed;
  }

  async #change(
    id: CopyGroupId,
    change: (group: CopyGroup) => CopyGroup | undefined,
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { groups, version } = await this.#store.read();
      const group = groups.find(({ groupId }) => groupId === id);
      const changed = group && change(group);
      if (changed === undefined) return false;
      if (!(await this.#store.save(changed, version))) continue;
      await this.load();
      return true;
    }
    throw new Error(`copy group ${id} is changed by others all the time`);
  }

  /** As `change`, of one follower. */
  async changeFollower(
    id: CopyGroupId,
    account: AccountId,
    change: (follower: Follower) => Follower | undefined,
  ): Promise<boolean> {
    return await this.change(id, (group) => {
      const follower = group.followers.find(({ accountId }) => accountId === account);
      const changed = follower && change(follower);
      if (changed === undefined) return undefined;
      const followers = group.followers.map((one) => (one === follower ? changed : one));
      return { ...group, followers };
    });
  }
}

function areBarredAlike(one: CopyGroup, other: CopyGroup | undefined): boolean {
  return one.followers.every(({ barred }, n) => barred === other?.followers[n]?.barred);
}

/** Facts of accounts and contracts that decide whether a stored group may be copied to. */
export interface GroupFacts {
  readonly identityOf: IdentityOf;
  readonly isOneMarket: IsOneMarket;
}

/** Stored groups as they may be copied to now. */
export const asFound = (
  groups: readonly CopyGroup[],
  { identityOf, isOneMarket }: GroupFacts,
): readonly CopyGroup[] => stopCrossing(barLoops(groups, identityOf), isOneMarket);

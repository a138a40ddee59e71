import type { ContractCode } from "../../domain/contracts/contract.ts";
import { joinedBy, without } from "../../domain/copying/copy-drift.ts";
import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { WaitFor } from "../ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import { joinLate } from "./join-followers.ts";
import { holdsAlong } from "./leader-moves.ts";
import {
  type BrokerNow,
  type Mirrored,
  type PlanDeps,
  planCopies,
  type PlannedCopy,
} from "./plan-copies.ts";
import type { CopyNews, LeaderNews } from "./ports.ts";
import type { LeaderTurns } from "./leader-turns.ts";
import type { ReadMirrored } from "./read-mirrored.ts";
import type { SendCopies } from "./send-copies.ts";

export interface CopierDeps extends Omit<PlanDeps, "mirrored"> {
  readonly groups: CopyGroupDirectory;
  readonly news: Pick<CopyNews, "read" | "done">;
  readonly send: SendCopies;
  /** Absent: nothing is mirrored. */
  readonly readMirrored?: ReadMirrored;
  /** Together with it: keeps what is mirrored from changing while fills are copied. */
  readonly inTurn?: LeaderTurns["inTurn"];
  /** Whether this process owns the leader's connection. */
  readonly isHere: (leader: AccountId) => boolean;
  /** What was sent or skipped; told once the store has it. */
  readonly onCopied: (copies: readonly PlannedCopy[]) => void;
  readonly onError: (error: unknown, leader: AccountId) => void;
  readonly waitFor: WaitFor;
}

const RETRY_MS = 1_000;

/**
 * Hands what leaders did on to their followers, one leader's news after another. What was noted is
 * forgotten only when every follower's copy is on its lane or skipped with its reason, so a crash
 * repeats it, and a copy that is there already is not made again.
 */
export class Copier {
  readonly #deps: CopierDeps;
  readonly #running = new Set<AccountId>();
  /** Woken while it ran: it runs once more. */
  readonly #again = new Set<AccountId>();
  readonly #runs = new Set<Promise<void>>();
  /** Up to which of a leader's fills all was handed on that does not wait for its orders. */
  readonly #handedOn = new Map<AccountId, number>();
  #isOver = false;

  constructor(deps: CopierDeps) {
    this.#deps = deps;
  }

  /** Something of the leader may be to be copied. */
  wake(leader: AccountId): void {
    const { groups, isHere } = this.#deps;
    if (this.#isOver || groups.ledBy(leader).length === 0 || !isHere(leader)) return;
    if (this.#running.has(leader)) {
      this.#again.add(leader);
      return;
    }
    this.#running.add(leader);
    const run = this.#run(leader).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  /** A leader is known whose news were not asked for here before, or words may have been lost. */
  wakeAll(): void {
    for (const leader of this.#deps.groups.leaders()) this.wake(leader);
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#runs);
  }

  async #run(leader: AccountId): Promise<void> {
    const { onError, waitFor } = this.#deps;
    for (;;) {
      this.#again.delete(leader);
      const isDone = await this.#copyInTurn(leader).catch((error: unknown) => {
        onError(error, leader);
        return false;
      });
      if (!isDone && !this.#isOver) await waitFor(RETRY_MS, () => undefined);
      const isToRepeat = !isDone || this.#again.has(leader);
      if (!isToRepeat || this.#isOver || !this.#deps.isHere(leader)) break;
    }
    this.#running.delete(leader);
  }

  async #copyInTurn(leader: AccountId): Promise<boolean> {
    const copy = async () => await this.#copy(leader);
    return await (this.#deps.inTurn?.(leader, copy) ?? copy());
  }

  /** Answers true once nothing is left of what was noted when it began. */
  async #copy(leader: AccountId): Promise<boolean> {
    const { groups, news } = this.#deps;
    const led = groups.ledBy(leader);
    const readMirrored = await this.#deps.readMirrored?.(leader, led);
    const read = await news.read(leader);
    if (read.fills.length === 0) return true;
    const found = await this.#tryToFind(leader, async () => await readMirrored?.(read));
    if (found === "unread" && led.some((group) => mayWait(group, read, this.#deps.brokerNow))) {
      await this.#copyUnread(leader, led, read);
      return false;
    }
    const mirrored = found === "unread" ? undefined : found;
    const copies = planCopies({ ...this.#deps, ...(mirrored && { mirrored }) }, led, read);
    await this.#handOn(copies, groups.ledBy(leader), read);
    this.#handedOn.delete(leader);
    await news.done(
      leader,
      read.fills.map(({ seq }) => seq),
    );
    return true;
  }

  /** What fills the orders of leader and followers; whatever keeps that from being read is told. */
  async #tryToFind(
    leader: AccountId,
    find: () => Promise<Mirrored | undefined>,
  ): Promise<Mirrored | undefined | "unread"> {
    try {
      return await find();
    } catch (error) {
      this.#deps.onError(error, leader);
      return "unread";
    }
  }

  /**
   * While nobody can say what a follower's own orders fill, an entry could be filled twice: in groups
   * that mirror orders entries wait to be read again. Everybody else's copies go, and all exits.
   */
  async #copyUnread(leader: AccountId, led: readonly CopyGroup[], read: LeaderNews): Promise<void> {
    const newest = read.fills.at(-1)?.seq ?? 0;
    if (this.#handedOn.get(leader) === newest) return;
    const isMirrored = ({ entry }: PlannedCopy) =>
      led.some(({ groupId, mode }) => groupId === entry.groupId && mode === "orders");
    const copies = planCopies(this.#deps, led, read).flatMap((copy) => {
      if (!isMirrored(copy)) return [copy];
      if (copy.kind === "skip" || !copy.isExit) return [];
      return [{ ...copy, exitsOnly: copy.exitsOnly ?? UNREAD }];
    });
    const others = led.filter(({ mode }) => mode !== "orders");
    await this.#handOn(copies, others, read);
    this.#handedOn.set(leader, newest);
  }

  async #handOn(
    copies: readonly PlannedCopy[],
    groups: readonly CopyGroup[],
    read: LeaderNews,
  ): Promise<void> {
    await this.#deps.send(copies);
    this.#deps.onCopied(copies);
    await this.#joinMissed(copies);
    await this.#endJoining(groups, read, copies);
  }

  async #joinMissed(copies: readonly PlannedCopy[]): Promise<void> {
    for (const copy of copies) {
      if (copy.kind !== "skip" || copy.missed === undefined) continue;
      await joinLate(this.#deps.groups, copy.entry, copy.missed);
    }
  }

  /** Whoever may not enter the leader's new trade has not joined by it. */
  async #endJoining(
    groups: readonly CopyGroup[],
    news: LeaderNews,
    copies: readonly PlannedCopy[],
  ): Promise<void> {
    const { cycleOf, groups: directory } = this.#deps;
    const along = holdsAlong(news);
    for (const { groupId, followers } of groups) {
      for (const follower of followers) {
        const joined = joinedBy(follower, along, cycleOf).filter(
          (contract) => !copies.some((copy) => isKeptOut(copy, follower.accountId, contract)),
        );
        if (joined.length === 0) continue;
        await directory.changeFollower(groupId, follower.accountId, (one) => without(one, joined));
      }
    }
  }
}

const UNREAD =
  "The leader's orders cannot be read now, so nothing may be opened that an order of its own may fill as well";

/** Whether what the group waits for is young enough to be copied yet. */
function mayWait(
  { mode, leader, maxAgeSeconds }: CopyGroup,
  { fills, now }: LeaderNews,
  brokerNow: BrokerNow,
): boolean {
  const newestAt = Math.max(...fills.map(({ fill }) => fill.transactTimeAt));
  return mode === "orders" && brokerNow(leader, now) - newestAt < maxAgeSeconds * 1_000;
}

function isKeptOut(copy: PlannedCopy, account: AccountId, contract: ContractCode): boolean {
  const { follower, targetQty = 0 } = copy.entry;
  if (follower !== account) return false;
  if (copy.kind === "skip") return copy.missed === contract;
  return copy.entry.contract === contract && copy.exitsOnly !== undefined && targetQty !== 0;
}

import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Channel } from "./market-data-settings.ts";
import type { Settings } from "./settings.ts";

/** What stands still; without a name, for all of them. */
export interface Freeze {
  readonly contract?: ContractCode | undefined;
  readonly user?: string | undefined;
  readonly channels?: readonly Channel[] | undefined;
}

/** A message that is about to be sent to one user. */
export interface Due {
  readonly channel: Channel;
  readonly contract: ContractCode;
  readonly user: string;
}

/** Holds messages of market data back for good, while the socket and its heartbeat go on. */
export class MdGate {
  #frozen: Freeze[] = [];
  readonly #losses = new Map<string, number>();

  freeze(freeze: Freeze): void {
    this.#frozen.push(freeze);
  }

  /** Ends what was frozen for the same contract and user; without both, everything. */
  thaw({ contract, user }: Freeze): void {
    this.#frozen = this.#frozen.filter(
      (each) =>
        (contract !== undefined && each.contract !== contract) ||
        (user !== undefined && each.user !== user),
    );
  }

  /** The next so many messages are never sent. */
  loseNext(user: string, count: number): void {
    this.#losses.set(user, count);
  }

  /** Forgets what was held back, of one user or of all. */
  clear(user: string | undefined): void {
    this.thaw({ user });
    if (user === undefined) this.#losses.clear();
    else this.#losses.delete(user);
  }

  lets(due: Due, { losesMarketData }: Settings): boolean {
    if (losesMarketData.includes(due.channel)) return false;
    if (this.#frozen.some((freeze) => holds(freeze, due))) return false;
    const left = this.#losses.get(due.user) ?? 0;
    if (left > 0) this.#losses.set(due.user, left - 1);
    return left <= 0;
  }
}

function holds({ contract, user, channels }: Freeze, due: Due): boolean {
  return (
    (contract ?? due.contract) === due.contract &&
    (user ?? due.user) === due.user &&
    (channels?.includes(due.channel) ?? true)
  );
}

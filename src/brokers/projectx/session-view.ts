import type { AccountId } from "../../domain/ids.ts";
import type { ContractDesk } from "./contract-desk.ts";
import type { EntityStore } from "./entity-store.ts";
import type { HeldQuestion } from "./questions.ts";
import type { Purpose, Requests } from "./requests.ts";
import type { ProjectXAccount, ProjectXOrder } from "./wire.ts";

/** What reads, commands and whoever watches brackets use of a session. */
export interface SessionView {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  readonly requests: Requests;
  /** Undefined when the broker lists none that is called so here. */
  readonly account: (called: AccountId) => ProjectXAccount | undefined;
  readonly accountOf: (brokerAccount: string) => AccountId;
  /** Whether it becomes true in time; looked at whenever the broker has said something. */
  readonly until: (isTrue: () => boolean, withinMs: number) => Promise<boolean>;
  /**
   * Resolves once the store has the account's positions and working orders by an answer of now. Asks as an
   * exit does. Throws `BrokerReadError`.
   */
  readonly refresh: (account: string) => Promise<void>;
  /** The same for what it holds alone, once that agrees with what was traded. */
  readonly settlePositions: (account: string, question?: HeldQuestion) => Promise<void>;
  /** Takes an order that a list of the account has: what it tells of the past is no news. */
  readonly takeListed: (account: string, order: unknown) => void;
  /** Asks for what the account has traded since then, Unix ms. Throws `BrokerReadError`. */
  readonly learnTrades: (account: string, since: number) => Promise<void>;
  /** Asks for one order; undefined where the broker shows none. Throws `BrokerReadError`. */
  readonly learnOrder: (account: string, orderId: string) => Promise<ProjectXOrder | undefined>;
  /**
   * The same for an order that is known. A question that can be spared is answered by the broker's word of
   * a moment ago on the account's orders, where the budget has no room for it.
   */
  readonly learnAgain: (
    account: string,
    orderId: string,
    purpose: Purpose,
  ) => Promise<ProjectXOrder | undefined>;
}

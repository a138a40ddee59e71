import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { AccountId, IntentId } from "../../../domain/ids.ts";
import type { Quote } from "../../../domain/quote.ts";
import type { Alarms } from "../../alarms/alarm.ts";
import type { IntentStore } from "../../orders/ports.ts";
import type { ContractBooks } from "../book/contract-books.ts";
import type { ConnectedDeps } from "../connected.ts";
import type { UnprotectedPositions } from "../legs/unprotected-positions.ts";
import type { Looks } from "../looks.ts";
import type { ExitPlanStore } from "./ports.ts";
import type { PlanIntentId } from "./plan-reads.ts";

/** What exit plans are carried out with. */
export interface PlanKeeperDeps extends ConnectedDeps {
  readonly looks: Pick<Looks, "ask">;
  readonly store: ExitPlanStore;
  readonly intents: Pick<IntentStore, "find">;
  readonly books: Pick<ContractBooks, "read" | "name" | "close" | "forget">;
  readonly intentIdOf: PlanIntentId;
  /** The fresh prices of a contract that is watched. */
  readonly quoteOf: (account: AccountId, contract: ContractCode) => Quote | undefined;
  /** Why all of a plan is to be closed now, in words; undefined while it is not. */
  readonly closeDue: (plan: RunningPlan, now: number) => string | undefined;
  /** Whether the contract trades at that time, Unix ms, by its exchange's hours. */
  readonly isTrading: (contract: ContractCode, at: number) => boolean;
  readonly unprotected: Pick<UnprotectedPositions, "missing">;
  readonly alarms: Alarms;
  /** What was done for a plan; for logs. */
  readonly onStep: (account: AccountId, plan: IntentId, what: string) => void;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** Unix ms. */
  readonly now: () => number;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

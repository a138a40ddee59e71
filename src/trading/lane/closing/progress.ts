import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { ClOrdId, OrderId } from "../../../domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../../domain/intent.ts";
import type { ClosedPosition } from "../../../domain/intent-result.ts";
import type { ExitPlan, GivenBack, SentCancel, SentClose } from "../../../domain/carried-plan.ts";
import { isClosed, type OrderReport } from "../../../domain/order.ts";
import type { CommandFailure } from "../../ports.ts";
import { LEGS_NTH } from "../legs/legs.ts";
import type { LaneTask } from "../lane-deps.ts";

/** One close that was sent, or is about to be. */
export interface Close extends SentClose {
  orderId?: OrderId;
  cumQty: number;
  /** Before that, another close could turn the position around. */
  isOver: boolean;
  /** Given for a close that was sent as an order. */
  order?: NonNullable<ClosedPosition["order"]>;
}

/** What was done so far. One failure never stops the others from being ended. */
export interface Progress {
  /** Whether it was begun before and continues. */
  readonly goesOn: boolean;
  readonly closes: Close[];
  /** How many closes the broker never got, or refused, in vain each; `closes` does not have them. */
  unsent: number;
  /** What was to be cancelled, and is. */
  readonly cancels: Map<OrderId, SentCancel>;
  readonly canceled: Map<OrderId, SentCancel>;
  /** Exits that were placed again after a refusal. */
  readonly given: GivenBack[];
  /** Identifiers of closes, and of pairs that were to be placed again, that certainly came to nothing. */
  readonly notPlaced: ClOrdId[];
  /** Why an order could not be cancelled, in the broker's words. */
  readonly refusals: Map<OrderId, string>;
  /** Contracts that wait for their markets, and until when: Unix ms. */
  readonly waits: Map<ContractCode, number>;
  /** Contracts whose close was not taken in this attempt, or not for all of it. */
  readonly tried: Set<ContractCode>;
  /** Contracts of which the broker has taken a close in this attempt. */
  readonly taken: Set<ContractCode>;
  /** Contracts of which a newer target says where they are to be. */
  readonly replaced: Set<ContractCode>;
  readonly failures: CommandFailure[];
  sent: number;
  aim?: ExitPlan["aim"];
  opens?: ExitPlan["opens"];
}

export const newProgress = (): Progress => ({
  goesOn: false,
  closes: [],
  unsent: 0,
  cancels: new Map(),
  canceled: new Map(),
  given: [],
  notPlaced: [],
  refusals: new Map(),
  waits: new Map(),
  tried: new Set(),
  taken: new Set(),
  replaced: new Set(),
  failures: [],
  sent: 0,
});

export const doneBy = ({ sent, canceled, failures }: Progress): number =>
  sent + canceled.size + failures.length;

/**
 * Whether exits of the contract may go: a close is taken now, or works since. One that filled a part before says
 * nothing of the rest.
 */
export const isTaken = ({ closes, taken }: Progress, contract: ContractCode): boolean =>
  taken.has(contract) ||
  closes.some(
    (close) => close.contract === contract && close.orderId !== undefined && !close.isOver,
  );

/** Whether exits were placed again for it, or may have been. */
export const isBack = ({ given }: Progress, { orderId }: Pick<SentCancel, "orderId">): boolean =>
  given.some(({ of }) => of.includes(orderId));

/** Whether it ended and closed nothing. */
export const hasFailed = ({ isOver, cumQty }: Close): boolean => isOver && cumQty === 0;

/** The last known state of an order that closes. */
export const standsAs = ({
  ordStatus,
  avgPx,
}: Pick<OrderReport, "ordStatus" | "avgPx">): NonNullable<Close["order"]> => ({
  ordStatus,
  ...(avgPx !== undefined && { avgPx }),
});

/** Must be called before the write-ahead, which stores it with everything that was sent before. */
export function beginClose({ closes }: Progress, sent: SentClose): Close {
  const close = { ...sent, cumQty: 0, isOver: false };
  closes.push(close);
  return close;
}

/** Forgets what was certainly not sent: it would be looked up once for each attempt. */
export function endUnfilled(close: Close, answer: Outcome["kind"], progress: Progress): void {
  close.isOver = answer !== "unknown";
  if (answer !== "notSent") return;
  progress.closes.splice(progress.closes.indexOf(close), 1);
  progress.notPlaced.push(close.clOrdId);
  progress.unsent += 1;
}

/** What is stored with each order that is sent. */
export function planOf({ closes, unsent, cancels, given, aim, opens }: Progress): ExitPlan {
  return {
    closes: closes.map(({ contract, clOrdId, direction, lots }) => ({
      contract,
      clOrdId,
      direction,
      ...(lots !== undefined && { lots }),
    })),
    ...(unsent > 0 && { unsent }),
    cancels: [...cancels.values()],
    ...(given.length > 0 && { given: [...given] }),
    ...(aim !== undefined && { aim }),
    ...(opens !== undefined && { opens }),
  };
}

export function note(close: Close, report: OrderReport | undefined, { failures }: Progress): void {
  if (report === undefined) return;
  close.orderId ??= report.orderId;
  close.cumQty = report.cumQty;
  close.isOver = isClosed(report.ordStatus);
  if (close.isOver && report.ordStatus !== "FILLED") {
    failures.push({ kind: "rejected", reason: report.text ?? "The close was refused" });
  }
}

/** Whether a close in the contract was sent that may still fill. */
export const isUnderWay = ({ closes }: Pick<Progress, "closes">, contract: ContractCode): boolean =>
  closes.some((close) => close.contract === contract && !close.isOver);

/** Whether it has closed some of the contract. */
export const hasClosed = ({ closes }: Pick<Progress, "closes">, contract: ContractCode): boolean =>
  closes.some((close) => close.contract === contract && close.cumQty > 0);

/** Identifiers between are for exits and for the order that follows a close. */
const RESERVED = { from: LEGS_NTH, until: 200 };

/** The next of the intent's identifiers, the same on every run. */
export function nextId({ record }: LaneTask, progress: Progress) {
  const next = progress.sent + 1;
  progress.sent = next < RESERVED.from ? next : Math.max(next, RESERVED.until);
  return clOrdIdOf(record.intentId, progress.sent);
}

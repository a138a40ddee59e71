import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { Wire } from "./cluster.ts";
import type { BrokerName } from "./crash-points.ts";
import { HIT_WITHIN_MS, until } from "./faults-done.ts";
import type { FrameFate } from "./schedule.ts";

/** A position as the broker itself has it. */
export interface HeldPosition {
  readonly contract: string;
  readonly netQty: number;
}

/** Where a connection trades. */
export interface BrokerAddress {
  readonly name: BrokerName;
  readonly host: string;
  readonly port: number;
}

/**
 * The broker of a run, whichever it is: what it saw, and how it is made to fail. Accounts go by the
 * gateway's names. Where the broker is not known to refuse it, a second order of the same clOrdId is
 * taken, and would really trade.
 */
export interface ChaosBroker {
  readonly addressOf: (connection: string) => BrokerAddress;
  readonly pace: BrokerPace;
  /** A close is an order like any other, and no command of its own. */
  readonly closesByOrder: boolean;

  /** Opens the accounts of a connection, and answers their names. */
  readonly openAccounts: (connection: string, count: number) => Promise<readonly string[]>;
  /** Ends all sessions without a word. */
  readonly cutSessions: () => Promise<void>;
  /** Ends the session of one connection, and for so long nobody may log in there again. */
  readonly cutAndRefuse: (wire: Wire, refusedMs: number) => Promise<void>;
  /** The next command is carried out or not, and the session breaks instead of an answer. */
  readonly loseNextAnswer: (connection: string, isCarriedOut: boolean) => Promise<void>;
  /** What is asked is done at once and answered so much later, of some or all; 0 ends it. */
  readonly delayAnswers: (connection: string, ms: number) => Promise<void>;
  /** Does this to the next order on its way, or what comes nearest to it; answers whether one came. */
  readonly strikeOrder: (wire: Wire, planned: FrameFate) => Promise<boolean>;
  readonly signal: (signal: NodeJS.Signals) => void;

  /** All commands, fills, logins and ends of sessions, in the order in which they happened. */
  readonly log: () => Promise<readonly LogEntry[]>;
  /** By account, as it is now. */
  readonly positions: () => Promise<ReadonlyMap<string, readonly HeldPosition[]>>;
  readonly stop: () => Promise<void>;
}

/** How the broker behaves otherwise than by itself: settings of its simulator, from the start on. */
export type Behaviour = Readonly<Record<string, unknown>>;

/** The one place for times that depend on the broker. */
export interface BrokerPace {
  /** How long entries and exits live, so that what waits in vain is seen to expire in the run. */
  readonly entryMaxAgeSeconds: number;
  readonly exitMaxAgeSeconds: number;
  /** Planned delays are so many times as long: now and then more than the adapter waits. */
  readonly delayFactor: number;
}

/** An order or a close on its way, as it stands in a client's frame, or in the body of its request. */
export const ORDER_FRAMES: Readonly<Record<BrokerName, RegExp>> = {
  exchange: /"op":"(?:submitOrder|closePosition)"/,
  tradovate: /^order\/place(?:order|oso)\n/,
  projectx: /^\{(?=.*"contractId":)(?=.*"customTag":"i)/,
};

/** Strikes the frame of the next order that goes over a wire; answers whether one came in time. */
export async function strikeFrame(
  { frames }: Wire,
  kind: FrameFate,
  orders: RegExp,
): Promise<boolean> {
  const where = (text: string) => orders.test(text);
  const handle = frames.add({ kind, direction: "toTarget", where });
  await until(() => handle.hits > 0, HIT_WITHIN_MS);
  handle.remove();
  return handle.hits > 0;
}

/**
 * Where a process of the gateway can be told to die, by the step that it has just done or is about to
 * do. Of `worker`s, but for the first.
 */
export const INGRESS_POINTS = [
  /** Record and job are there, and nobody was told. */
  "accepted-not-answered",
] as const;

/** They are come to a few times in a minute only. */
const RARE_POINTS = [
  /** A strategy's slot was taken, and nobody was given it. */
  "slot-not-queued",
  /** What it decided is kept, and no intent is accepted. */
  "slot-not-sent",
  /** What it decided is carried out, and its log does not tell. */
  "slot-not-ended",
  /** Guards have locked an account, and nothing was closed or cancelled for it. */
  "locked-not-closed",
] as const;

/** Of any intent that has a job, in whichever way it was accepted. */
export const LANE_POINTS = [
  "before-submit",
  /** The order, or the close, is on its way, and its answer was not read. */
  "submit-sent",
  "submit-answered",
  "before-settle",
  /** The outcome is stored, its job is gone and the next one taken, and nobody was told. */
  "settled-not-told",
] as const;

/** As the last of these, where there was a next one to take. */
export const NEXT_POINTS = ["next-taken"] as const;

/**
 * Of what is run ahead of its acceptance, in a process that takes calls in for accounts that it owns
 * (`src/trading/lane/run-ahead.ts`).
 */
export const AHEAD_POINTS = [
  /** Acceptance and write-ahead are about to leave for Redis as one. */
  "begin-not-sent",
  /** They are stored, and nobody here has heard of it: no byte has left for the broker. */
  "begun-not-heard",
  ...LANE_POINTS,
  ...NEXT_POINTS,
] as const;

export const WORKER_POINTS = [
  /** The connection was taken over, and nothing was compared yet. */
  "fenced",
  /** The job was taken off its lane. */
  "job-taken",
  /** The write-ahead is stored, and no byte has left. */
  "sending-stored",
  ...LANE_POINTS,
  /** Every copy of a leader's fill is on its lane, and the fill is still noted for copying. */
  "copied-not-forgotten",
  ...RARE_POINTS,
] as const;

type AheadPoint = (typeof AHEAD_POINTS)[number];
export type CrashPoint =
  | (typeof INGRESS_POINTS)[number]
  | (typeof WORKER_POINTS)[number]
  | AheadPoint;

export function isRarePoint(point: CrashPoint): boolean {
  return RARE_POINTS.some((one) => one === point);
}

/** Sent to a process: die at the `nth` time that it comes to this point; `none` takes it back. */
export interface CrashOrder {
  readonly point: CrashPoint | "none";
  readonly nth: number;
  /** Only of what was begun as it was accepted, or only of what was not; of any where absent. */
  readonly isAhead?: boolean;
}

/** How Redis answered an acceptance. */
export interface AcceptanceNews {
  readonly of: "alert" | "request";
  /** It was to be begun in the same step. */
  readonly isAhead: boolean;
  /** Its sender was admitted in the same step. */
  readonly isAdmitted: boolean;
  /** The first word of the answer, or that there was none. */
  readonly answer: string;
}

/** What the gateway trades with: the simulator's own protocol, or a broker's. */
export const BROKER_NAMES = ["exchange", "tradovate", "projectx"] as const;
export type BrokerName = (typeof BROKER_NAMES)[number];

/** What all connections of a run trade with; `mix` is each of them in turns. */
export const RUN_BROKERS = [...BROKER_NAMES, "mix"] as const;
export type RunBroker = (typeof RUN_BROKERS)[number];

/** What a process tells who started it. */
export type MemberNews =
  | { readonly kind: "named"; readonly processId: string }
  /** It dies there from now on. */
  | { readonly kind: "obeys"; readonly order: CrashOrder }
  | { readonly kind: "accepted"; readonly news: AcceptanceNews }
  | {
      readonly kind: "listening";
      readonly url: string;
      /** On the very first start only. */
      readonly apiKey: string | undefined;
    };

/** One broker connection as a process of the gateway is told of it. */
export interface BrokerPlace {
  readonly broker: BrokerName;
  readonly connectionId: string;
  /** On this machine. */
  readonly port: number;
  readonly accounts: number;
}

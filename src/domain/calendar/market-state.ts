import type { ProductSessions } from "./session-close.ts";

/** Whether a contract trades, by its exchange's hours. */
export type MarketState =
  | { readonly kind: "open" }
  /** Certainly not, until then: Unix ms. */
  | { readonly kind: "closed"; readonly opensAt: number }
  /** Around an opening or a close clocks differ, and of an unknown product the hours are guessed. */
  | { readonly kind: "unsure" };

/** So far from an opening or a close the hours are certain, ms: our clock may be wrong by a little. */
const EDGE_MS = 60_000;

const UNSURE = { kind: "unsure" } as const;

/** Halts are not known here: what is open may be halted. */
export function marketAt(sessions: ProductSessions, instant: number): MarketState {
  if (sessions.areGuessed) return UNSURE;
  const state = sessions.at(instant);
  if (state.kind === "closed") return closedBetween(state.since, state.until, instant);
  const { opensAt, closesAt, pauses } = state.session;
  const pause = pauses.find(({ from, until }) => from <= instant && instant < until);
  if (pause !== undefined) return closedBetween(pause.from, pause.until, instant);
  const edges = [opensAt, closesAt, ...pauses.flatMap(({ from, until }) => [from, until])];
  return edges.some((edge) => Math.abs(instant - edge) < EDGE_MS) ? UNSURE : { kind: "open" };
}

function closedBetween(since: number, opensAt: number, instant: number): MarketState {
  const isAtEdge = instant - since < EDGE_MS || opensAt - instant < EDGE_MS;
  return isAtEdge ? UNSURE : { kind: "closed", opensAt };
}

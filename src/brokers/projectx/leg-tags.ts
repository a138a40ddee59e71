import { type ClOrdId, clOrdId, legIdOf, legOf, sentIdOf } from "../../domain/ids.ts";

export type LegRole = "TAKE_PROFIT" | "STOP_LOSS";

/** Which exit of which entry a tag was made for. */
export interface LegTag {
  /** The entry's tag. */
  readonly entry: ClOrdId;
  readonly role: LegRole;
  /** 1 for the broker's own leg, more for one that we have placed in its stead. */
  readonly attempt: number;
}

/** Tags are 60 characters at most, and numbers of two digits more than anybody needs. */
export const LAST_ATTEMPT = 99;

const AGAIN = /^(.+)-r([2-9]|[1-9]\d)(-(?:TP|SL))$/;

/**
 * A leg that is placed again needs a tag of its own, since a tag is used up for ever: `<entry>-r2-SL`.
 * To the gateway both are the same exit, `<entry>-SL`.
 */
export function legTag({ entry, role, attempt }: LegTag): string {
  return legIdOf(clOrdId(attempt === 1 ? entry : `${entry}-r${attempt}`), role);
}

/** Undefined for the tag of what is no leg. */
export function readLegTag(tag: string): LegTag | undefined {
  const [, entry, attempt, ending] = AGAIN.exec(tag) ?? [];
  const plain = clOrdId(entry === undefined ? tag : `${entry}${ending ?? ""}`);
  const role = legOf(plain);
  if (role === undefined) return undefined;
  return { entry: sentIdOf(plain), role, attempt: Number(attempt ?? 1) };
}

/** How the gateway calls an order with that tag. */
export function clOrdIdOf(tag: string): ClOrdId {
  const leg = readLegTag(tag);
  return leg === undefined ? clOrdId(tag) : legIdOf(leg.entry, leg.role);
}

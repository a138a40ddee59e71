import { execId } from "../domain/ids.ts";
import { errors } from "../errors.ts";
import type { FillPosition } from "./store-ports.ts";

/** What a list of trades was asked with, apart from the size of its pages. */
export interface TradeFilters {
  readonly accountId: string;
  readonly fromAt?: number;
  readonly beforeAt?: number;
  readonly traded?: {
    readonly root: string;
    readonly contract?: { readonly month: number; readonly year: string };
  };
}

/**
 * Where the next page begins: behind a time and an id, so that it is found even when that trade is
 * gone, with the filters it belongs to. For the caller it is an opaque word.
 */
export function writeCursor({ at, execId: id }: FillPosition, filters: TradeFilters): string {
  return Buffer.from(JSON.stringify([at, id, ...wordsOf(filters)])).toString("base64url");
}

/** Throws VALIDATION_FAILED for anything that `writeCursor` did not make of the same filters. */
export function readCursor(cursor: string, filters: TradeFilters): FillPosition {
  const [at, id, ...words] = parse(cursor);
  if (typeof at !== "number" || !Number.isSafeInteger(at) || typeof id !== "string") refuse(FORGED);
  if (JSON.stringify(words) !== JSON.stringify(wordsOf(filters))) refuse(OTHER_FILTERS);

  const { fromAt = -Infinity, beforeAt = Infinity } = filters;
  if (at < fromAt || at >= beforeAt) refuse(FORGED);
  return { at, execId: execId(id) };
}

const FORGED = "is no nextCursor of this list";
const OTHER_FILTERS =
  "belongs to another account or to other filters: repeat those it came with, or leave it out";

function wordsOf({ accountId, fromAt, beforeAt, traded }: TradeFilters): unknown[] {
  const { month, year } = traded?.contract ?? {};
  return [accountId, fromAt, beforeAt, traded?.root, month, year].map((word) => word ?? null);
}

function parse(cursor: string): readonly unknown[] {
  const bytes = Buffer.from(cursor, "base64url");
  // Node skips what is no base64url; such a word was never handed out.
  if (bytes.toString("base64url") !== cursor) refuse(FORGED);
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return Array.isArray(value) ? (value as unknown[]) : [];
  } catch {
    return refuse(FORGED);
  }
}

function refuse(message: string): never {
  throw errors.validationFailed([{ path: "cursor", message }]);
}

import { errors } from "../../errors.ts";

/** A place in a list that is newest first. */
export interface PagePosition {
  /** Unix ms. */
  readonly at: number;
  readonly id: string;
}

/** What a list was asked with, apart from the size of its pages. */
export type PageFilters = readonly (string | number | undefined)[];

/**
 * Where the next page begins: behind a time and an id, so that it is found even when that item is
 * gone, with the filters it belongs to. For the caller it is an opaque word.
 */
export function writeCursor({ at, id }: PagePosition, filters: PageFilters): string {
  return write([at, id, ...wordsOf(filters)]);
}

/** Throws VALIDATION_FAILED for anything that `writeCursor` did not make of the same filters. */
export function readCursor(cursor: string, filters: PageFilters): PagePosition {
  const [at, id, ...words] = parse(cursor);
  if (typeof at !== "number" || !Number.isSafeInteger(at) || typeof id !== "string") refuse(FORGED);
  if (JSON.stringify(words) !== JSON.stringify(wordsOf(filters))) refuse(OTHER_FILTERS);
  return { at, id };
}

/** As `writeCursor`, in a list that is in the order of its ids: behind an id. */
export const writeIdCursor = (list: string, id: string): string => write([list, id]);

/** Throws VALIDATION_FAILED for anything that `writeIdCursor` did not make of the same list. */
export function readIdCursor(list: string, cursor: string): string {
  const [named, id, ...rest] = parse(cursor);
  if (named !== list || typeof id !== "string" || rest.length > 0) refuse(FORGED);
  return id;
}

/** A place outside of the range that its list was asked for was never handed out. */
export function requireWithin(
  position: PagePosition,
  { fromAt = -Infinity, beforeAt = Infinity }: { fromAt?: number; beforeAt?: number },
): void {
  if (position.at < fromAt || position.at >= beforeAt) refuse(FORGED);
}

const FORGED = "is no nextCursor of this list";
const OTHER_FILTERS =
  "belongs to another account or to other filters: repeat those it came with, or leave it out";

const wordsOf = (filters: PageFilters): unknown[] => filters.map((word) => word ?? null);

const write = (words: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(words)).toString("base64url");

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

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

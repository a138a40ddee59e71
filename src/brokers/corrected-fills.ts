/** Fills of an order that were reported. */
export interface ToldFills<Id, One> {
  /** As they were reported, without those that were taken back. */
  readonly fills: One[];
  /** Every fill that was ever reported, with its reported cost. */
  readonly fees: Map<Id, string | undefined>;
}

/** How a broker writes what is asked of a fill here. */
export interface FillWords<One> {
  readonly isTakenBack: (fill: One) => boolean;
  readonly isSame: (told: One, fill: One) => boolean;
}

export type CorrectionType = "TRADE_CANCEL" | "TRADE_CORRECT";

/**
 * Takes note of a fill that was taken back, though it may not have been reported, or that has changed.
 * Answers the report that is due, with the fill as it was reported; undefined if nothing is new.
 */
export function noteCorrection<Id, One extends { readonly id: Id }>(
  { fills, fees }: ToldFills<Id, One>,
  fill: One,
  { isTakenBack, isSame }: FillWords<One>,
): { readonly execType: CorrectionType; readonly told: One | undefined } | undefined {
  const place = fills.findIndex(({ id }) => id === fill.id);
  const told = fills[place];
  if (isTakenBack(fill)) {
    if (told === undefined && fees.has(fill.id)) return undefined;
    if (told === undefined) fees.set(fill.id, undefined);
    else fills.splice(place, 1);
    return { execType: "TRADE_CANCEL", told };
  }
  if (told === undefined || isSame(told, fill)) return undefined;
  fills[place] = fill;
  return { execType: "TRADE_CORRECT", told };
}

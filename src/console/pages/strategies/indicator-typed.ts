import { numberOr } from "../../parts/number-or.ts";
import { KINDS, type Parameter, parametersOf } from "./indicator-kinds.ts";
import type { Indicator, IndicatorType, PriceSource } from "./types.ts";

/** One row of a form's indicators. */
export interface IndicatorTyped {
  /** Which row it is, however it is called. */
  readonly row: number;
  readonly name: string;
  readonly type: IndicatorType;
  readonly source: PriceSource;
  /** As text. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
}

export type IndicatorsTyped = readonly IndicatorTyped[];

const newRow = (rows: IndicatorsTyped): number => Math.max(0, ...rows.map(({ row }) => row)) + 1;

export const withNew = (rows: IndicatorsTyped): IndicatorsTyped => [
  ...rows,
  { row: newRow(rows), name: "", type: "ema", source: "close", parameters: KINDS.ema.parameters },
];

/** What the new type has of what was typed already stays. */
export function asType(indicator: IndicatorTyped, type: IndicatorType): IndicatorTyped {
  const kept = parametersOf(type).map(
    (name) => [name, indicator.parameters[name] ?? KINDS[type].parameters[name]] as const,
  );
  return { ...indicator, type, parameters: Object.fromEntries(kept) };
}

export const typedIndicators = (indicators: Readonly<Record<string, Indicator>>): IndicatorsTyped =>
  Object.entries(indicators).map(([name, { source = "close", type, ...figures }], row) => ({
    row,
    name,
    type,
    source,
    parameters: Object.fromEntries(
      parametersOf(type).map((parameter) => [parameter, String(figures[parameter] ?? "")]),
    ),
  }));

/** By their names; of two with one name only the last is left, see `nameProblems`. */
export const indicatorsOf = (rows: IndicatorsTyped): Record<string, Indicator> =>
  Object.fromEntries(rows.map((row) => [nameOf(row), indicatorOf(row)]));

export const nameOf = ({ name }: IndicatorTyped): string => name.trim();

/** What is no number goes as text, and is refused by its name. */
function indicatorOf({ type, source, parameters }: IndicatorTyped): Indicator {
  const figures = parametersOf(type).map(
    (name) => [name, numberOr((parameters[name] ?? "").trim())] as const,
  );
  return {
    type,
    ...Object.fromEntries(figures),
    ...(KINDS[type].hasSource && source !== "close" && { source }),
  };
}

/** What cannot even be asked: rows without a name, or with another one's, by their `row`. */
export function nameProblems(rows: IndicatorsTyped): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  for (const [place, row] of rows.entries()) {
    const name = nameOf(row);
    const isTaken = rows.slice(0, place).some((other) => nameOf(other) === name);
    if (name === "") problems.set(row.row, "Needs a name, by which conditions know it");
    else if (isTaken) problems.set(row.row, "Is the name of another indicator too");
  }
  return problems;
}

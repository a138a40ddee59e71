import { type Answer, badRequest, ok } from "./answer.ts";
import { type Body, numberOf } from "./order-request.ts";
import type { Settings } from "./settings.ts";

/** What a chart is made of: bars of so many minutes, bars of a trade day, or single trades. */
export type Elements =
  | { readonly kind: "minutes"; readonly minutes: number }
  | { readonly kind: "days" }
  | { readonly kind: "ticks" };

/** The history that is wanted: what all the limits leave, the newest of it where it is too much. */
export interface Range {
  readonly from: number;
  /** The start of the last element may be this. */
  readonly until: number;
  readonly count: number;
}

export interface ChartWish {
  readonly elements: Elements;
  readonly range: Range;
}

const MOST_MINUTES = 1_440;

/** Reads the body of `md/getChart`; what cannot be served is an `errorText`. */
export function readChart(
  body: Body,
  now: number,
  settings: Settings,
): { readonly wish: ChartWish } | { readonly answer: Answer } {
  const [description, timeRange] = [
    objectOf(body["chartDescription"]),
    objectOf(body["timeRange"]),
  ];
  if (description === undefined || timeRange === undefined) {
    return { answer: badRequest("Missing field: chartDescription, timeRange") };
  }
  if (description["withHistogram"] === true && settings.chartHistogram === "refused") {
    return { answer: failed("Histograms are not supported") };
  }
  const elements = readElements(description);
  if (elements === undefined) return { answer: failed("Unsupported chart description") };
  const range = readRange(timeRange, now, settings, elements);
  if (range === undefined) return { answer: failed("Incorrect time range") };
  return { wish: { elements, range } };
}

function readElements(description: Body): Elements | undefined {
  const { underlyingType, elementSizeUnit } = description;
  const size = numberOf(description["elementSize"]);
  if (elementSizeUnit !== "UnderlyingUnits" || size === undefined) return undefined;
  const isWhole = Number.isInteger(size) && size >= 1 && size <= MOST_MINUTES;
  if (underlyingType === "MinuteBar" && isWhole) return { kind: "minutes", minutes: size };
  // As the official examples say, these two have no other size.
  if (underlyingType === "DailyBar" && size === 1) return { kind: "days" };
  return underlyingType === "Tick" && size === 1 ? { kind: "ticks" } : undefined;
}

/** All limits hold at once. One that cannot be read is as good as none; of bars, none is a tick's. */
function readRange(
  timeRange: Body,
  now: number,
  settings: Settings,
  { kind }: Elements,
): Range | undefined {
  const { closestTimestamp, closestTickId, asFarAsTimestamp, asMuchAsElements } = timeRange;
  const ends = [timeOf(closestTimestamp), kind === "ticks" ? numberOf(closestTickId) : undefined];
  const [from, count] = [timeOf(asFarAsTimestamp), numberOf(asMuchAsElements)];
  const isLimited = [...ends, from, count].some((limit) => limit !== undefined);
  if (!isLimited || (count !== undefined && count < 0)) return undefined;
  return {
    from: from ?? 0,
    until: Math.min(now, ...ends.filter((end) => end !== undefined)),
    count: Math.min(Math.floor(count ?? Infinity), settings.chartMaxElements),
  };
}

/** The documents' own dates have no seconds. */
function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function objectOf(value: unknown): Body | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Body)
    : undefined;
}

function failed(errorText: string): Answer {
  return ok({ errorText, errorCode: "UnsupportedChart", mode: "None" });
}

import { readFile } from "node:fs/promises";
import type { Bar } from "../../../domain/strategies/bar.ts";
import { parseTicks, type Ticks, type TickSize } from "../../../domain/contracts/price.ts";

/** The bar file cannot be used; the message names the line. */
export class BarFileError extends Error {
  override readonly name = "BarFileError";
}

const HEADER = "time,open,high,low,close,volume";
const MAX_BARS = 2_000_000;

export async function loadBarFile(path: string, size: TickSize): Promise<readonly Bar[]> {
  return parseBars(await readFile(path, "utf8"), size);
}

/**
 * Reads bars from CSV text with the header `time,open,high,low,close,volume`; a time is ISO 8601 or
 * Unix seconds. Throws a `BarFileError` at the first line that is not right.
 */
export function parseBars(text: string, size: TickSize): readonly Bar[] {
  const [header = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (header.trim().toLowerCase() !== HEADER) fail(1, `the header must be ${HEADER}`);
  const bars: Bar[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const lineNumber = index + 2;
    const bar = parseBar(line, lineNumber, size);
    const last = bars.at(-1);
    if (last !== undefined && bar.startsAt <= last.startsAt) {
      fail(lineNumber, "its time must be later than that of the bar before");
    }
    if (bars.push(bar) > MAX_BARS) fail(lineNumber, `there can be at most ${MAX_BARS} bars`);
  }
  if (bars.length === 0) fail(2, "there is no bar");
  return bars;
}

function parseBar(line: string, lineNumber: number, size: TickSize): Bar {
  const fields = line.split(",").map((field) => field.trim());
  if (fields.length !== 6) fail(lineNumber, `it has ${fields.length} fields instead of 6`);
  const [time = "", ...rest] = fields;
  const startsAt = /^\d{9,11}$/.test(time) ? Number(time) * 1_000 : Date.parse(time);
  if (!Number.isFinite(startsAt)) fail(lineNumber, `"${time}" is no time`);

  const price = (name: string, index: number): Ticks => {
    const value = parseTicks(rest[index] ?? "", size);
    if (value !== undefined) return value;
    return fail(lineNumber, `${name} "${rest[index]}" is no price in ticks of ${size}`);
  };
  const open = price("open", 0);
  const high = price("high", 1);
  const low = price("low", 2);
  const close = price("close", 3);
  if (high < Math.max(open, low, close)) fail(lineNumber, "the high is not the highest price");
  if (low > Math.min(open, close)) fail(lineNumber, "the low is not the lowest price");

  const volume = Number(rest[4] === "" ? Number.NaN : rest[4]);
  if (!(volume >= 0) || !Number.isFinite(volume)) fail(lineNumber, `"${rest[4]}" is no volume`);
  return { startsAt, open, high, low, close, volume };
}

function fail(line: number, problem: string): never {
  throw new BarFileError(`Line ${line} of the bar file is not right: ${problem}`);
}

import { BrokerReadError } from "../../../trading/ports.ts";
import type { BarElement, ChartShape } from "../../chart-bars.ts";
import { isRecord, listOf, parseInstant } from "../parse.ts";
import type { Purpose, RateLimit } from "../rate-budget.ts";
import type { Requests } from "../requests.ts";
import type { ProjectXAnswer } from "../wire.ts";

/** Published are 50 in 30 s, apart from everything else. */
export const BARS_LIMIT: RateLimit = { most: 45, withinMs: 30_000 };

const PATH = "History/retrieveBars";
const MINUTES = 2;
const MINUTE_MS = 60_000;
/** Markets rest: over a weekend, and a holiday beside it. */
const RESTS_MS = 4 * 24 * 60 * MINUTE_MS;
const MOST_BARS = 20_000;

export interface BarHistoryDeps {
  readonly requests: Pick<Requests, "readBars">;
  readonly now: () => number;
}

/** Bars as the broker has them, which need no subscription. */
export class BarHistory {
  readonly #deps: BarHistoryDeps;

  constructor(deps: BarHistoryDeps) {
    this.#deps = deps;
  }

  /** As many elements as there are of those that were asked for, in any order. Throws `BrokerReadError`. */
  async ask(
    contractId: string,
    { minutes, elements }: ChartShape,
    purpose: Purpose = "read",
  ): Promise<readonly BarElement[]> {
    const now = this.#deps.now();
    const limit = Math.min(elements, MOST_BARS);
    const body = {
      contractId,
      live: false,
      startTime: new Date(now - elements * minutes * MINUTE_MS - RESTS_MS).toISOString(),
      endTime: new Date(now + MINUTE_MS).toISOString(),
      unit: MINUTES,
      unitNumber: minutes,
      limit,
      includePartialBar: true,
    };
    const answer = await this.#deps.requests.readBars(PATH, body, purpose);
    return toElements(answer);
  }
}

/** Throws `BrokerReadError` where one of them cannot be read: no bar may be missing among the others. */
function toElements(answer: ProjectXAnswer): readonly BarElement[] {
  // A contract without any has no list.
  const listed = listOf(answer, "bars") ?? [];
  return listed.map((bar) => {
    const element = toElement(bar);
    if (element === undefined) throw new BrokerReadError("ProjectX sent a bar that cannot be read");
    return element;
  });
}

function toElement(bar: unknown): BarElement | undefined {
  if (!isRecord(bar) || typeof bar["t"] !== "string") return undefined;
  const at = parseInstant(bar["t"]);
  const [open, high, low, close, volume] = ["o", "h", "l", "c", "v"].map((name) => bar[name]);
  const areNumbers = [open, high, low, close, volume].every(Number.isFinite);
  if (at === 0 || !areNumbers) return undefined;
  return { at, open, high, low, close, volume } as BarElement;
}

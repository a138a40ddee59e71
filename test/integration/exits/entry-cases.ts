import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { afterTheFile } from "../../support/connection-site.ts";
import { heldIn, inWords } from "./exit-case.ts";
import { BID, type BrokerName, type ExitDesk, ExitSite } from "./exit-desk.ts";

const QTY = 2;
/** Nothing may be added for so long, once all of it works. */
const STILL_MS = 6_000;
const STANDS_WITHIN_MS = 60_000;
const LOOK_MS = 60;
/** Most of a case is waiting. */
const AT_ONCE = 16;

const BOTH = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const TWO = { targets: [{ ticks: 40 }, { ticks: 80 }], stop: { ticks: 40 } };
const LIMIT = { type: "limit", limitPrice: (BID + 4) / 4 };

/** Entries with their exits; an exit plan has stops for one part more for a moment. */
const ENTRIES = {
  "a bracket": { stops: QTY, targets: QTY, order: { type: "market", bracket: BOTH } },
  "a stop alone": {
    stops: QTY,
    targets: 0,
    order: { type: "market", bracket: { stopLoss: BOTH.stopLoss } },
  },
  "a target alone": {
    stops: 0,
    targets: QTY,
    order: { type: "market", bracket: { takeProfit: BOTH.takeProfit } },
  },
  "a plan of two targets": { stops: QTY, targets: QTY, order: { type: "market", exitPlan: TWO } },
  "a limit with a bracket": { stops: QTY, targets: QTY, order: { ...LIMIT, bracket: BOTH } },
  "a limit with a plan": { stops: QTY, targets: QTY, order: { ...LIMIT, exitPlan: TWO } },
} as const;
export type Asked = keyof typeof ENTRIES;
export const ASKED = Object.keys(ENTRIES) as Asked[];

/** Something that goes wrong between an entry and its exits. */
export interface EntryCase {
  readonly broker: BrokerName;
  readonly situation: string;
  readonly asked: Asked;
  readonly begin: (desk: ExitDesk) => Promise<unknown> | undefined;
}

/** One test for each case; all are run side by side. */
export function testEntries(cases: readonly EntryCase[]): void {
  const results = new Map<EntryCase, Promise<string>>();
  const atEnd = afterTheFile();

  beforeAll(async () => {
    const site = await ExitSite.open(atEnd);
    const lines = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(undefined));
    for (const [n, one] of cases.entries()) {
      const result = lines[n % AT_ONCE]?.then(async () => await enterAndLook(site, one));
      if (result === undefined) throw new Error("There is a line for each");
      results.set(one, result);
      lines[n % AT_ONCE] = result.catch(() => undefined);
    }
  });

  test.each(cases.map((one) => [one.broker, one.situation, one.asked, one] as const))(
    "%s, %s: the exits of %s stand once",
    async (_broker, _situation, asked, one) => {
      const { stops, targets } = ENTRIES[asked];
      const most = "exitPlan" in ENTRIES[asked].order ? QTY + 1 : QTY;
      expect(await results.get(one)).toBe(
        `${inWords({ net: QTY, stops, targets })}, never more than ${most}`,
      );
    },
  );
}

async function enterAndLook(site: ExitSite, { broker, asked, begin }: EntryCase): Promise<string> {
  const desk = await site.desk(broker);
  const { stops, targets, order } = ENTRIES[asked];
  const goal = inWords({ net: QTY, stops, targets });
  const few = "exitPlan" in order ? QTY + 1 : QTY;
  await begin(desk);
  const path = `/v1/accounts/${desk.account}/orders`;
  const sent = site.api.post(path, { symbol: "ES1!", action: "buy", qty: QTY, ...order });
  let since: number | undefined;
  let most = 0;
  let seen = "";
  for (const until = performance.now() + STANDS_WITHIN_MS; performance.now() < until;) {
    const held = heldIn(await desk.view());
    most = Math.max(most, held.stops, held.targets);
    seen = inWords(held);
    since = seen === goal ? (since ?? performance.now()) : undefined;
    if (since !== undefined && performance.now() > since + STILL_MS) break;
    await sleep(LOOK_MS);
  }
  await sent;
  return `${seen}, never more than ${Math.max(most, few)}`;
}

/**
 * A broker that is silent in one way or another: the hub pings and says nothing, answers are late or behind
 * the hub, positions and trades disagree. A close is never larger than what is held, and it never finds
 * nothing open where a position is.
 */
import { describe, expect, test } from "vitest";
import { BrokerReadError } from "../../src/trading/ports.ts";
import type { Settings } from "../simulators/projectx/settings.ts";
import { waitUntil } from "../support/wait.ts";
import { type ProjectXCase, projectXCases } from "./projectx-case.ts";

const { connected } = projectXCases();

const ALL = ["account", "order", "position", "trade"] as const;
/** No answer can be behind a word that is so old. */
const LONG_AGO_MS = 11_000;

interface Silence {
  readonly name: string;
  readonly settings: Partial<Settings>;
  /** The last word of the hub is only a moment old. */
  readonly isNew?: boolean;
}

const SILENCES: readonly Silence[] = [
  { name: "the hub only pings", settings: { losesEvents: ALL } },
  {
    name: "the hub has only pinged since a moment ago",
    settings: { losesEvents: ALL },
    isNew: true,
  },
  {
    name: "the hub only pings, and lists have nothing new",
    settings: { losesEvents: ALL, listLagMs: 60_000 },
  },
  { name: "the hub says orders and no positions", settings: { losesEvents: ["position"] } },
  { name: "the hub says no trades", settings: { losesEvents: ["trade"] } },
  { name: "the hub is late", settings: { eventDelayMs: 2_000 }, isNew: true },
  { name: "answers are late", settings: { answerDelayMs: 150 } },
  { name: "answers are behind the hub", settings: { staleListsMs: 1_000 }, isNew: true },
];

const numberOf = (account: string): number => Number(account.split("-").at(-1));
/** `CON.F.US.EP.Z26` of `ESZ2026`. */
const idOf = (code: string): string =>
  `CON.F.US.${code.startsWith("MES") ? "MES" : "EP"}.${code.at(-5)}${code.slice(-2)}`;

/** A person trades at the market on the platform. */
async function tradeByHand({ broker, turn }: ProjectXCase, by: number): Promise<void> {
  const order = { contractId: idOf(broker.contract), type: 2, side: by > 0 ? 0 : 1 };
  const account = numberOf(broker.account);
  await turn({ knob: "placeOrder", account, order: { ...order, size: Math.abs(by) } });
}

describe.concurrent.each(SILENCES)("a close while $name", ({ settings, isNew = false }) => {
  test.each([
    { before: 3, by: -1 },
    { before: 3, by: 2 },
    { before: 0, by: 2 },
    { before: 2, by: -2 },
  ])("is of what is held: of $before, and $by by hand", async ({ before, by }) => {
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const given = await connected({ elapsed });
    const { trader, broker, set, held } = given;
    if (before > 0) await trader.place({ orderQty: before });
    await trader.waitForPosition(before);
    await set(settings);
    await tradeByHand(given, by);
    if (!isNew) offset += LONG_AGO_MS;
    const { kind } = await trader.closeOut();
    expect(kind).toMatch(before + by === 0 ? "rejected" : /accepted|unknown/);
    expect(await held(broker.account, broker.contract)).toBe(0);
  });
});

describe.concurrent("a position that has moved without a word", () => {
  test("is not closed while the hub's last word may be the newer one, and then by the answer", async () => {
    let offset = 0;
    const given = await connected({ elapsed: () => performance.now() + offset });
    const { trader, broker, set, turn, held } = given;
    const { account, contract } = broker;
    await trader.place({ orderQty: 3 });
    await trader.waitForPosition(3);
    await set({ losesEvents: ALL });
    await turn({ knob: "movePosition", account: numberOf(account), contract, by: -1, at: 1_000 });
    expect(await trader.closeOut()).toMatchObject({ kind: "notSent" });
    expect(await held(account, contract)).toBe(2);
    offset += LONG_AGO_MS;
    expect((await trader.closeOut()).kind).toMatch(/accepted|unknown/);
    expect(await held(account, contract)).toBe(0);
  });

  test("is asked for now and then, and a person can see it", async () => {
    let now = performance.now();
    const given = await connected({ elapsed: () => now });
    const { trader, broker, turn, fault } = given;
    const { account, contract } = broker;
    await trader.place();
    await trader.waitForPosition(1);
    const body = JSON.stringify({ success: true, errorCode: 0, positions: [] });
    await fault({ kind: "status", status: 200, body }, "Position/searchOpen", 1_000);
    await turn({ knob: "movePosition", account: numberOf(account), contract, by: 1, at: 1_000 });
    const read = () => trader.adapter.positions(account);
    await expect(read()).rejects.toThrow("do not agree");
    now += 5_000;
    const words = () => broker.told.filter((one) => one.includes("do not agree"));
    await waitUntil("it is asked for", () => words().length > 0);
    const unread = trader.adapter.unread().filter((one) => one.account === account);
    expect(unread.map(({ problem }) => problem).join()).toContain("do not agree");
    // Each takes as long as a round of those questions.
    await expect(read()).rejects.toThrow("do not agree");
    await expect(read()).rejects.toThrow("do not agree");
    expect(words()).toHaveLength(1);
  });
});

test.concurrent("a position that a person opens under a silent hub is seen within minutes", async () => {
  let now = performance.now();
  const given = await connected({ elapsed: () => now });
  const { trader, set } = given;
  await set({ losesEvents: ALL });
  await tradeByHand(given, 2);
  now += 300_000;
  const fills = () => trader.reports.flatMap(({ report }) => report.fill?.lastQty ?? []);
  await waitUntil("its fill is reported", () => {
    // One account is asked for in three seconds.
    now += 500;
    return fills().length > 0;
  });
  expect(fills()).toEqual([2]);
});

describe.concurrent("while our own questions have used up what is for them", () => {
  test("an exit is answered by the broker of now, and what only looks is not answered by pings", async () => {
    let offset = 0;
    const limit = { most: 60, withinMs: 600_000 };
    const given = await connected({ elapsed: () => performance.now() + offset, limit });
    const { trader, broker, set, held } = given;
    const { account, contract } = broker;
    for (let n = 0; n < 30; n += 1) {
      offset += 9_000;
      await trader.adapter.positions(account).catch(() => undefined);
    }
    await set({ losesEvents: ALL });
    await tradeByHand(given, 2);
    offset += LONG_AGO_MS;
    await expect(trader.adapter.positions(account)).rejects.toThrow(BrokerReadError);
    await expect(trader.adapter.workingOrders(account)).rejects.toThrow(BrokerReadError);
    const [position] = await trader.adapter.positions(account, "exit");
    expect(position).toMatchObject({ contract, netQty: 2 });
    expect(await trader.adapter.workingOrders(account, "exit")).toEqual([]);
    expect((await trader.closeOut()).kind).toBe("accepted");
    expect(await held(account, contract)).toBe(0);
  });
});

import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WireEntry } from "../../../simulators/wire-log.ts";
import { ROOT } from "../../../support/source-tree.ts";
import { END, type Json, type RawHub, TestClient } from "./test-client.ts";

const DOCUMENT = "test/simulators/projectx/recorded-bracket.md";

let client: TestClient;
let hub: RawHub;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
  hub = await client.listen();
});
afterEach(() => client.close());

/** The nth recording in the document. */
async function recorded(n: number): Promise<string> {
  const text = await readFile(path.join(ROOT, DOCUMENT), "utf8");
  return [...text.matchAll(/```text\n([^]*?)```/g)][n]?.[1] ?? "";
}

/** What is on the wire from here on, in words. */
async function record(act: () => Promise<void>): Promise<string> {
  const { length } = await client.wire();
  await act();
  await hub.settle();
  const wire = (await client.wire()).slice(length);
  return wire.flatMap((entry) => linesOf(entry)).join("");
}

const bracket = (order: Json): Promise<Json> =>
  client.place({
    ...order,
    stopLossBracket: { ticks: -40, type: 4 },
    takeProfitBracket: { ticks: 60, type: 1 },
  });

const ofAccount = () => ({ accountId: client.account });

async function search(name: string): Promise<void> {
  await client.post(name, { ...ofAccount(), startTimestamp: "2026-01-01T00:00:00Z" });
}

test("a market order with both exits, whose target fills", async () => {
  const wire = await record(async () => {
    await bracket({ customTag: "b1" });
    await client.quote(6_865.25);
  });
  expect(wire).toBe(await recorded(0));
});

test("a limit order with both exits that rests, is moved, and is canceled", async () => {
  const wire = await record(async () => {
    const { orderId } = await bracket({ customTag: "b2", type: 1, limitPrice: 6_840 });
    await search("Order/searchOpen");
    await search("Order/search");
    await client.post("Order/modify", { ...ofAccount(), orderId, limitPrice: 6_841 });
    await client.post("Order/cancel", { ...ofAccount(), orderId });
  });
  expect(wire).toBe(await recorded(1));
});

test("a bracket's stop that is moved, and its position closed by the platform", async () => {
  const wire = await record(async () => {
    const { orderId } = await bracket({ customTag: "b3" });
    const stop = Number(orderId) + 1;
    await client.post("Order/modify", { ...ofAccount(), orderId: stop, stopPrice: 6_845 });
    await client.post("Position/closeContract", { ...ofAccount(), contractId: "CON.F.US.EP.Z26" });
    await search("Order/searchOpen");
  });
  expect(wire).toBe(await recorded(2));
});

function linesOf({ via, dir, path: where = "", text }: WireEntry): readonly string[] {
  if (via === "rest") return [dir === "in" ? `→ ${where} ${text}\n` : `← ${answerIn(text)}\n`];
  if (dir === "in") return [];
  const records = text.split(END).filter((part) => part.includes('"target"'));
  return records.map((part) => `← ${eventIn(JSON.parse(part) as Json)}\n`);
}

function answerIn(text: string): string {
  const { errorCode, errorMessage, orderId, orders, success } = JSON.parse(text) as Json;
  const listed = orders as readonly Json[] | undefined;
  const words = [
    success === true
      ? "answer: done"
      : `answer: refused, ${String(errorCode)} ${String(errorMessage)}`,
    ...(orderId === undefined ? [] : [`orderId ${short(orderId)}`]),
    ...(listed === undefined
      ? []
      : [`orders ${listed.map(({ id }) => short(id)).join(" ") || "none"}`]),
  ];
  return words.join(", ");
}

function eventIn({ target, arguments: args }: Json): string {
  const [payload] = args as readonly [{ readonly action: number; readonly data: Json }];
  const { action, data } = payload;
  const kind = String(target).replace("GatewayUser", "").toLowerCase();
  const name = kind === "account" ? kind : `${kind} ${short(data["id"])}`;
  return `${name} ${ACTIONS[action] ?? action}${detailsOf(data)}`;
}

const ACTIONS = ["created", "changed", "gone"];
const STATUSES = ["None", "Open", "Filled", "Cancelled", "Expired", "Rejected", "Pending"];
const SUSPENDED = 8;
/** What an event says of its entity, and how. */
const DETAILS: Readonly<Record<string, (value: unknown) => string>> = {
  status: (value) =>
    `status ${String(value)} ${value === SUSPENDED ? "Suspended" : STATUSES[Number(value)]}`,
  limitPrice: (value) => `limitPrice ${String(value)}`,
  stopPrice: (value) => `stopPrice ${String(value)}`,
  filledPrice: (value) => `filledPrice ${String(value)}`,
  customTag: (value) => `tag ${String(value)}`,
  parentOrderId: (value) => `parent ${short(value)}`,
  linkedOrderId: (value) => `linked ${short(value)}`,
  trailDistance: (value) => `trailDistance ${String(value)}`,
  trailPrice: (value) => `trailPrice ${String(value)}`,
  orderId: (value) => `of order ${short(value)}`,
  size: (value) => `size ${String(value)}`,
  type: (value) => `type ${String(value)}`,
  price: (value) => `price ${String(value)}`,
  averagePrice: (value) => `averagePrice ${String(value)}`,
  profitAndLoss: (value) => `profitAndLoss ${String(value)}`,
  balance: (value) => `balance ${String(value)}`,
};

function detailsOf(data: Json): string {
  const told = Object.entries(DETAILS).flatMap(([name, say]) => {
    const value = data[name] ?? undefined;
    return value === undefined ? [] : [say(value)];
  });
  return `: ${told.join(", ")}`;
}

const short = (id: unknown): string => String(id).slice(-2);

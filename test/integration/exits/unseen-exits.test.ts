// The goal: exits that were asked for with an order stand soon after it fills, whatever becomes of its answer and of
// the link, and they stand once. The method: one gateway and all brokers; the entry meets the situation.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { afterTheFile } from "../../support/connection-site.ts";
import { waitUntil } from "../../support/wait.ts";
import { heldIn, inWords } from "./exit-case.ts";
import { BROKERS, type BrokerName, type ExitDesk, ExitSite } from "./exit-desk.ts";

const QTY = 2;
const SITUATIONS = {
  "its answer is lost with the link": (desk: ExitDesk) => desk.loseClose(true),
  "the link is cut at its first command": (desk: ExitDesk) => desk.cutAtFirst(),
} as const;
type Situation = keyof typeof SITUATIONS;

const EXITS = {
  "a bracket": { bracket: { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } } },
  "a stop alone": { bracket: { stopLoss: { ticks: 40 } } },
  "a plan of two targets": {
    exitPlan: { targets: [{ ticks: 40 }, { ticks: 80 }], stop: { ticks: 40 } },
  },
} as const;
type Asked = keyof typeof EXITS;

/** So long nothing may be added, once all of it stands. */
const STILL_MS = 6_000;

const cases = BROKERS.flatMap((broker) =>
  (Object.keys(SITUATIONS) as Situation[]).flatMap((situation) =>
    (Object.keys(EXITS) as Asked[]).map((asked) => [broker, situation, asked] as const),
  ),
);

let site: ExitSite;
const results = new Map<string, Promise<string>>();
const atEnd = afterTheFile();

beforeAll(async () => {
  site = await ExitSite.open(atEnd);
  for (const one of cases) {
    const result = enterAndLook(...one);
    result.catch(() => undefined);
    results.set(one.join(), result);
  }
});

async function enterAndLook(broker: BrokerName, situation: Situation, asked: Asked) {
  const desk = await site.desk(broker);
  const look = async () => inWords(heldIn(await desk.view()));
  const targets = asked === "a stop alone" ? 0 : QTY;
  const goal = inWords({ net: QTY, stops: QTY, targets });
  const order = { symbol: "ES1!", action: "buy", qty: QTY, type: "market", ...EXITS[asked] };
  await SITUATIONS[situation](desk);
  const reply = await site.api.post(`/v1/accounts/${desk.account}/orders`, order);
  let seen = "";
  await waitUntil(`${goal} after ${reply.status} ${reply.text}`, async () => {
    seen = await look();
    return seen === goal;
  }).catch((cause) => {
    throw new Error(`Seen is ${seen}`, { cause });
  });
  await sleep(STILL_MS);
  return await look();
}

test.each(cases)("%s, %s: %s stands once", async (_broker, _situation, asked) => {
  const targets = asked === "a stop alone" ? 0 : QTY;
  const found = await results.get([_broker, _situation, asked].join());
  expect(found).toBe(inWords({ net: QTY, stops: QTY, targets }));
});

// The goal: two equal fills of one exit in one second both leave, or their owner hears of it.
import { beforeAll, describe, expect, test } from "vitest";
import { ALARMS } from "../../../src/trading/alarms/declared-alarms.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { waitUntil } from "../../support/wait.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(8);
const EXIT = { action: "sell", symbol: "ES1!", qty: 1, alertId: "TP 2026-09-21T14:30:00Z" };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-8" } });
  return gateway.stop;
});

async function openDesk(held: number) {
  const desk = await openPaperDesk(gateway, nextAccount());
  await desk.order({ action: "buy", qty: held });
  return {
    ...desk,
    netQty: async () => (await desk.positions())[ES.code] ?? 0,
    alarms: () =>
      gateway.log.filter(
        (line) =>
          line.includes(ALARMS.exitTakenForRepeat.message) && line.includes(`"${desk.account}"`),
      ),
  };
}

describe("two equal fills of one exit", () => {
  test("both leave if their messages say the position before them, and each once", async () => {
    const { done, send, netQty, alarms } = await openDesk(3);
    for (const left of [2, 1]) {
      const fill = { ...EXIT, prev_market_position_size: String(left + 1) };
      await done(fill);
      expect(await netQty()).toBe(left);
      expect((await send(fill)).body.duplicate).toBe(true);
      expect(await netQty()).toBe(left);
    }
    expect(alarms()).toEqual([]);
  });

  test("without it are one, and the alarm names what the message lacks", async () => {
    const { done, send, netQty, alarms } = await openDesk(2);
    await done(EXIT);
    expect((await send(EXIT)).body.duplicate).toBe(true);
    expect(await netQty()).toBe(1);
    await waitUntil("the alarm is there", async () => alarms().length === 1);
    expect(alarms()[0]).toContain("{{strategy.market_position_size}}");
  });
});

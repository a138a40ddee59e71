// The goal: what is sent again behind another alert is never carried out as if it were younger than that.
// The method: an exchange simulator that is gone for a while, so that an entry is refused, and comes back.
import { beforeAll, expect, test } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { frontMonth } from "../../support/gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { idOf, openAlertDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 2 };

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

const nextConnection = shareConnections(() => simulator, 3, {}, { answersOnTime: true });

/** A webhook whose `BUY` was refused because its broker was gone, which is back by now. */
async function openRefused() {
  const own = nextConnection();
  await own.quote(ES, 27_400);
  const desk = await openAlertDesk(() => own.api, own.account);
  await desk.change({ entryMaxAgeSeconds: 1, exitMaxAgeSeconds: 1 });
  await own.goDown();
  await desk.until(idOf((await desk.send(BUY)).body), "expired");
  await own.letIn();
  await own.waitUntilConnected();
  await desk.change({ entryMaxAgeSeconds: 30, exitMaxAgeSeconds: 600 });
  return {
    ...desk,
    own,
    ended: async (alert: object) => await desk.find(idOf((await desk.send(alert)).body)),
    held: async () => (await own.broker())?.positions.map(({ netQty }) => netQty) ?? [],
  };
}

test("a refused entry that comes again behind a close opens nothing, and says why", async () => {
  const { done, send, ended, held, outcomes } = await openRefused();
  await done({ action: "close" });
  const { status, body } = await send(BUY);
  expect([status, body.error.code]).toEqual([409, "OVERTAKEN_BY_EXIT"]);
  expect((await ended(BUY)).outcome).toBe("overtaken");
  expect(await held()).toEqual([]);
  expect(await outcomes()).toEqual(["expired", "done", "overtaken", "duplicate"]);
});

test("a refused entry that comes again behind another entry is carried out", async () => {
  const { done, held } = await openRefused();
  await done({ ...BUY, qty: 1 });
  await done(BUY);
  expect(await held()).toEqual([3]);
});

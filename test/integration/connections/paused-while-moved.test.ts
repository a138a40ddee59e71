// The goal: a pause or removal holds, also where it comes while the connection moves to another worker.
// The method: a second worker starts while every lane has an order under way, and one behind it.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { frontMonth } from "../../support/gateway.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
/** The account was inactive first, or the order was there first. */
const OVER = /ACCOUNT_INACTIVE|"filled"/;
let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  const quote = { bid: 27_400, ask: 27_401, bidQty: 1_000_000, askQty: 1_000_000 };
  await simulator.control({ knob: "quote", contract: frontMonth("ES").code, ...quote });
  return simulator.stop;
});

test.each(["paused", "removed"])(
  "what is %s while it moves is inactive, and nothing waits",
  async (how) => {
    const site = await ConnectionSite.open(simulator);
    await site.start({ ROLE: "worker" });
    // Its answer comes before the outcome, and names the intent.
    const ingress = await site.start({ ROLE: "ingress" }, { answersOnTime: true });
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.push(await site.add(ingress));
    for (const id of ids) await site.until(ingress, id, "CONNECTED");
    const hooks = await Promise.all(ids.map((id) => site.webhook(ingress, `${id}-1`)));
    for (const id of ids) {
      const account = accountId(`${id}-1`);
      await simulator.control({ knob: "delay", account, ms: 2_500, ops: ["submitOrder"] });
    }
    await site.start({ ROLE: "worker" });
    const send = async (comment: string) =>
      await Promise.all(
        hooks.map(async (hook) => await postAlert(`${ingress.url}${hook}`, { ...BUY, comment })),
      );
    const from = (await simulator.log()).length;
    const underWay = send("under way");
    const isUnderWay = async () =>
      (await simulator.log(from + 1)).some(({ op }) => op === "submitOrder");
    const waiting = send("waits");
    await waitUntil("an order is under way", isUnderWay);
    await sleep(1_500);
    await Promise.all(
      ids.map((id) =>
        how === "paused" ? site.change(ingress, id, { paused: true }) : site.remove(ingress, id),
      ),
    );
    for (const id of ids) {
      await waitUntil(
        `${id} is inactive`,
        async () => (await site.isActive(ingress, `${id}-1`)) === false,
      );
    }
    const texts = [...(await underWay), ...(await waiting)].map(({ text }) => text);
    const accepted = texts.map((text) => (JSON.parse(text) as { intentId?: string }).intentId);
    // One of them is that of the order under way.
    expect(accepted.filter((intentId) => intentId !== undefined)).not.toEqual([]);
    for (const [nth, text] of texts.entries()) {
      const intentId = accepted[nth];
      // On a slow machine it comes when the account is inactive, or is not accepted at all.
      const outcome = async () =>
        intentId === undefined
          ? text
          : (await site.api(ingress).get(`/v1/alerts/${intentId}`)).text;
      const isOver = intentId === undefined ? /ACCOUNT_INACTIVE|"retry":"safe"/ : OVER;
      await expect.poll(outcome).toMatch(isOver);
    }
  },
);

// The goal: a gateway that dies while it asks the accounts of a group has asked each once or not at all,
// and the same alert again asks each exactly once.
// The method: kill the program a moment after an alert was posted, start it again, and send it again.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { GatewayMachine } from "../../support/gateway-process.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";
import { BUY, openGroupDesk } from "./group-desk.ts";

const ACCOUNTS = Array.from({ length: 12 }, (_, n) => `paper-${n + 1}`);
/** After which the program is killed: before, while and after the accounts are asked. */
const KILLED_AFTER_MS = [4, 9, 16, 30];

test("each account has each alert once", async () => {
  const machine = await GatewayMachine.create({ PAPER_ACCOUNTS: "1-12" });
  onTestFinished(machine.stop);
  let running = await machine.start();
  const desk = await openGroupDesk(() => machine.api, ACCOUNTS);
  const { pathname } = new URL(desk.url);
  const post = async (alert: object) => await postAlert(`${running.url}${pathname}`, alert);
  const ordersOf = async (account: string): Promise<number> => {
    const { body } = await machine.api.get(`/v1/accounts/${account}/orders`);
    return new Set(body.trades.map(({ orderId }: { orderId: string }) => orderId)).size;
  };

  for (const [n, ms] of KILLED_AFTER_MS.entries()) {
    const alert = { ...BUY, alertId: `alert ${n}` };
    const answer = post(alert).catch(() => undefined);
    await sleep(ms);
    running.signal("SIGKILL");
    await Promise.all([running.ended, answer]);
    running = await machine.start();
    const isDone = async () => {
      const { status, body } = await post(alert);
      return status === 200 && body.outcome === "split";
    };
    await waitUntil(`alert ${n} is done in each account`, isDone);
    const orders = await Promise.all(ACCOUNTS.map(ordersOf));
    expect(orders).toEqual(ACCOUNTS.map(() => n + 1));
  }
});

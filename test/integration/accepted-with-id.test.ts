// The goal: an alert that was accepted is answered with its id, also when Redis freezes right after.
// The method: hold the broker's state back by freezing Redis while alerts are under way.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "../support/gateway.ts";

test("an answer to what may be placed always names its intent", async () => {
  const gateway = await startGateway({ answersOnTime: true });
  onTestFinished(gateway.stop);
  const pid = await gateway.redisPid();
  const root = "/v1/accounts/paper-2";
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  const replies = Array.from({ length: 40 }, (_, n) => [
    gateway.alert({ ...order, comment: `${n}` }),
    gateway.api.post(`${root}/orders`, order),
  ]).flat();
  await sleep(60);
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void process.kill(pid, "SIGCONT"));
  await sleep(6_500);
  process.kill(pid, "SIGCONT");
  const answers = await Promise.all(replies);
  const unsure = answers.filter(({ status }) => status === 500 || status === 504);
  expect(unsure.filter(({ body }) => typeof body.error.intentId !== "string")).toEqual([]);
});

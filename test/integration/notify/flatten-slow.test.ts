// The goal: /flatten all gets an account out at once, whatever another account's broker does.
// The whole gateway with two accounts, one of which the broker does not show its orders of.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { BOT_TOKEN } from "../../simulators/notify/telegram.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { TelegramPerson } from "../../support/telegram-person.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");

let services: NotifySimulator;
let gateway: TestGateway;
let owner: TelegramPerson;

const heldBy = async (account: string) => (await gateway.broker.positions(account))[ES.code] ?? 0;

beforeAll(async () => {
  services = await startNotifySimulator();
  gateway = await startGateway({
    settings: { NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8", PAPER_ACCOUNTS: "1-2" },
    services: { bases: { telegram: services.url } },
  });
  owner = new TelegramPerson(services, 5_001);
  const { body } = await gateway.api.post("/v1/destinations", {
    name: "my phone",
    kind: "telegram",
    settings: { botToken: BOT_TOKEN },
    rules: [{ tell: "off" }],
    answers: true,
  });
  const link = await gateway.api.post(`/v1/destinations/${body.id}/link`, {});
  await owner.write(`/start ${link.body.code}`);
  await owner.untilShown("Linked");
});

afterAll(async () => {
  await gateway.stop();
  await services.stop();
});

test("one account's slow broker delays no other account's exit", async () => {
  for (const account of ["paper-1", "paper-2"]) {
    const { url } = await gateway.createWebhook(account);
    await fetch(url, {
      method: "POST",
      body: JSON.stringify({ symbol: "ES", action: "buy", qty: 1, id: `buy-${account}` }),
      headers: { "content-type": "application/json" },
    });
    await waitUntil("it is held", async () => (await heldBy(account)) === 1);
  }
  await owner.write("/flatten all");
  const shown = await owner.untilShown("Flatten all accounts?");
  const { paper } = gateway;
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const workingOrders = paper.workingOrders.bind(paper);
  paper.workingOrders = async (account) => {
    if (account === "paper-2") await answered;
    return await workingOrders(account);
  };
  await owner.press(shown);
  await waitUntil("the other one is flat", async () => (await heldBy("paper-1")) === 0);
  answer();
  const { text } = await owner.untilShown("what came of it");
  expect(text).toContain("Paper 1: closed long 1");
  await waitUntil("it is flat as well", async () => (await heldBy("paper-2")) === 0);
});

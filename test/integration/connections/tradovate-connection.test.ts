// The goal: a Tradovate account is connected as a user does it, and an alert for it is filled.
// The method: the whole gateway, and the Tradovate simulator as a process of its own.
import { expect, onTestFinished, test, vi } from "vitest";
import { BROKER_KINDS } from "../../../src/app/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

vi.setConfig({ testTimeout: 90_000 });

test("it is added by the command line, found with its accounts, traded and removed", async () => {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const settings = {
    name: "joe",
    cid: "8",
    restUrl: simulator.url,
    wsUrl: simulator.wsUrl,
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const words = ["connection", "add", "tradovate", "--environment", "demo", ...set];
  const stdin = "password=hunter2-of-joe\nsec=secret-of-the-key\n";
  expect(await site.command([...words, "--secrets", "stdin"], { stdin })).toMatch(
    /^0 tradovate-1 /,
  );
  await site.until(app, "tradovate-1", "CONNECTED");
  expect(await site.command([...words, "--secrets", "stdin"], { stdin })).toMatch(
    /The connection "tradovate-1" has this login already/,
  );

  const { body } = await site.api(app).get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string; active: boolean }[];
  const found = accounts.filter(({ broker }) => broker === "tradovate");
  expect(found).toMatchObject([{ active: true }, { active: true }]);
  const account = found[0]?.id ?? "";
  const hook = await site.webhook(app, account);
  const alert = { symbol: "ES1!", action: "buy", qty: 1 };
  const filled = await postAlert(`${app.url}${hook}`, alert);
  expect([filled.status, filled.body.status]).toEqual([200, "filled"]);
  expect(await site.test(app, "tradovate-1")).toMatchObject({ result: "connected" });

  expect((await site.remove(app, "tradovate-1")).status).toBe(204);
  await waitUntil(
    "the account is inactive",
    async () => (await site.isActive(app, account)) === false,
  );
  expect((await postAlert(`${app.url}${hook}`, { ...alert, comment: "late" })).status).toBe(403);
  expect(site.said.join("\n")).not.toMatch(/hunter2-of-joe|secret-of-the-key/);
});

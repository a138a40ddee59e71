// The goal: a Tradovate account is connected as a user does it, and an alert for it is filled.
// The method: the whole gateway, and the Tradovate simulator as a process of its own.
import { expect, onTestFinished, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { App } from "../../../src/app/app.ts";
import type { Settings } from "../../simulators/tradovate/settings.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { postAlert } from "../../support/http-client.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

/** The next session begins under these settings of the broker. */
async function meet(
  { control, wire }: TradovateSimulator,
  { site, app }: { readonly site: ConnectionSite; readonly app: App },
  settings: Partial<Settings>,
): Promise<void> {
  const sessions = async () =>
    (await wire()).filter(({ dir, text }) => dir === "in" && text.startsWith("user/syncrequest"))
      .length;
  await control({ knob: "set", ...settings });
  const before = await sessions();
  await control({ knob: "closeSockets" });
  // That the former one is gone may show for less time than a look takes.
  await waitUntil("the next session begins", async () => (await sessions()) > before);
  await site.until(app, "tradovate-1", "CONNECTED");
}

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

  // The broker forgets what earlier orders were called: exits of ours are legs all the same.
  const api = site.api(app);
  const legs = async (id: string) => {
    const { body: read } = await api.get(`/v1/accounts/${id}/working-orders`);
    return (read.orders as { role: string; source: string }[]).map(({ role }) => role).toSorted();
  };
  const other = found[1]?.id ?? "";
  const otherHook = `${app.url}${await site.webhook(app, other)}`;
  const bracket = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
  await api.post(`/v1/accounts/${other}/orders`, { ...alert, type: "market", bracket });
  await waitUntil("both exits work", async () => (await legs(other)).length === 2);
  const forgets = { types: ["command", "commandReport"], isGone: true } as const;
  await meet(simulator, { site, app }, { forgets });
  await eventually(async () => expect(await legs(other)).toEqual(["stopLoss", "takeProfit"]));
  await postAlert(otherHook, { ...alert, action: "sell" });
  await waitUntil("no exit is left", async () => (await legs(other)).length === 0);

  // The broker tells nothing: what is asked for is bought at most once, and closed when asked.
  const overview = async () => (await api.get("/v1/overview")).body;
  await eventually(async () => expect(await overview()).toMatchObject({ troubles: [] }));
  await meet(simulator, { site, app }, { syncBrings: "users", tellsEvents: false });
  const message = expect.stringMatching(/Entries are refused, exits pass/) as string;
  await eventually(async () => {
    expect(await overview()).toMatchObject({
      safe: false,
      troubles: [{ kind: "connection", connectionId: "tradovate-1", message }],
    });
  });
  const positions = async () => (await api.get(`/v1/accounts/${account}/positions`)).body.positions;
  for (const n of [1, 2]) {
    const aimed = await postAlert(`${app.url}${hook}`, { symbol: "ES1!", position: 2, comment: n });
    expect([aimed.status, aimed.body.error.retry]).toEqual([503, "safe"]);
  }
  expect(await positions()).toMatchObject([{ side: "long", qty: 1 }]);
  const closed = await postAlert(`${app.url}${hook}`, { symbol: "ES1!", action: "close" });
  // What it filled may have to be looked up first.
  expect([
    [200, "done"],
    [202, "unknown"],
  ]).toContainEqual([closed.status, closed.body.outcome]);
  await waitUntil("nothing is held", async () => (await positions()).length === 0);

  expect((await site.remove(app, "tradovate-1")).status).toBe(204);
  await waitUntil(
    "the account is inactive",
    async () => (await site.isActive(app, account)) === false,
  );
  expect((await postAlert(`${app.url}${hook}`, { ...alert, comment: "late" })).status).toBe(403);
  expect(site.said.join("\n")).not.toMatch(/hunter2-of-joe|secret-of-the-key/);
});

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { frontMonth } from "../support/gateway.ts";
import { openBrowser, visit } from "../support/browser.ts";
import { setup as buildConsole } from "../support/console-build.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { GatewayMachine } from "../support/gateway-process.ts";
import type { ApiClient } from "../support/http-client.ts";
import { ROOT } from "../support/source-tree.ts";

// Takes the picture of the console that README.md shows: `npm run screenshot`. A gateway is started as an operator
// starts it, trades on its paper accounts for a moment, and is looked at with a real browser.
const PICTURE = path.join(ROOT, "docs/console-overview.png");
const PERSON = ["owner", "correct horse battery"] as const;
const BRACKET = { takeProfit: { ticks: 120 }, stopLoss: { ticks: 60 } };

const post = async (api: ApiClient, route: string, body: object) => {
  const answer = await api.post(route, body);
  if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Alerts as two strategies would send them, and one position that somebody protects by hand. */
async function trade(machine: GatewayMachine): Promise<void> {
  const alerts = [
    { action: "buy", symbol: "MNQ1!", qty: 2, alertId: "breakout 09:35", ...BRACKET },
    { action: "sell", symbol: "MGC1!", qty: 1, alertId: "fade 09:41", ...BRACKET },
    { action: "buy", symbol: "MES1!", qty: 3, alertId: "breakout 09:50" },
    { position: 0, symbol: "MES1!", alertId: "breakout 10:05" },
    { action: "buy", symbol: "MNQ1!", qty: 500, alertId: "breakout 10:20" },
    { action: "buy", symbol: "MNQ1!", qty: 2, alertId: "breakout 09:35", ...BRACKET },
  ];
  for (const alert of alerts) await machine.alert(alert);
  await post(machine.api, "/v1/accounts/paper-2/orders", {
    symbol: "ES1!",
    action: "buy",
    qty: 1,
    bracket: BRACKET,
  });
  const symbol = frontMonth("CL").symbol;
  await post(machine.api, "/v1/accounts/paper-3/orders", { symbol, action: "sell", qty: 2 });
  await post(machine.api, "/v1/accounts/paper-3/protect", { symbol, stopLoss: { ticks: 80 } });
}

/** What the page shows once everything on it has been read. */
async function takePicture(url: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const { page, close } = await visit(url.replace("127.0.0.1", "localhost"));
    await page.setViewportSize({ width: 1280, height: 748 });
    const [name, password] = PERSON;
    await page.request.post("/v1/session", {
      data: { name, password },
      headers: { "sec-fetch-site": "same-origin" },
    });
    await page.goto("/console/");
    await page.getByText("Up to date").waitFor();
    const held = page.getByRole("region", { name: "Open positions" }).getByRole("row");
    await held.filter({ hasText: "Paper 3" }).waitFor();
    // Prices are told once a second.
    for (const missing of [/^no price of/, "No market data"]) {
      await page.getByText(missing).first().waitFor({ state: "detached" });
    }
    await mkdir(path.dirname(PICTURE), { recursive: true });
    await page.screenshot({ path: PICTURE });
    await close();
  } finally {
    await browser.close();
  }
}

const machine = await GatewayMachine.create({ PAPER_ACCOUNTS: "1-3" });
try {
  await buildConsole();
  const { url, stdout } = await machine.start();
  const link = /\S+gwu_\S+/.exec(stdout())?.[0] ?? "";
  const { status } = await new ConsoleClient(url).setUp(link, ...PERSON);
  if (status !== 200) throw new Error(`Nobody can sign in: ${status}`);
  await trade(machine);
  await takePicture(url);
} finally {
  await machine.stop();
}

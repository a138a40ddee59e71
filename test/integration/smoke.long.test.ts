// The goal: what the README promises first works on every Node that users start on.
// The method: `npm start`, one call and one alert, on the Node of this run and on the newest.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GatewayMachine } from "../support/gateway-process.ts";
import { ROOT } from "../support/source-tree.ts";

/** `npm run check:long` has put it there. */
const NEWEST = path.join(ROOT, "node_modules/.cache/newest-node/node_modules/.bin");

// The newest builds it, which this run's own does with most of the same tools before it tests.
test.each([
  ["the newest", NEWEST, "v26.10.0", ["npm", "start"]],
  [
    "its own",
    path.dirname(process.execPath),
    process.version,
    ["npm", "start", "--ignore-scripts"],
  ],
])(
  "on %s Node the program starts, answers, fills an alert on paper and ends in order",
  async (_, folder, version, command) => {
    const PATH = `${folder}:${process.env["PATH"]}`;
    const running = execFileSync("node", ["--version"], { env: { PATH }, encoding: "utf8" });
    expect(running).toBe(`${version}\n`);
    const machine = await GatewayMachine.create({ PATH }, command);
    onTestFinished(machine.stop);

    const gateway = await machine.start();
    const { status, body } = await machine.api.get("/v1/accounts");
    expect([status, body.accounts[0].connectionStatus]).toEqual([200, "CONNECTED"]);
    const reply = await machine.outcomeOf({ symbol: "ES1!", action: "buy", qty: 1 });
    expect([reply.status, reply.body.status]).toEqual([200, "filled"]);
    const positions = await machine.api.get("/v1/accounts/paper-1/positions");
    expect(positions.body.positions).toMatchObject([{ qty: 1 }]);

    gateway.signal("SIGTERM");
    expect((await gateway.ended).code).toBe(0);
  },
  300_000,
);

// The goal: the command line does everything with connections that HTTP does, beside the gateway or
// without it, and no secret is ever a word of a command.
// The method: run the commands on a gateway's Redis, and start a gateway on what they have left.
import { beforeAll, describe, expect, test } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { EXCHANGE } from "../../support/exchange-broker.ts";

const ADD = ["connection", "add", EXCHANGE, "--environment", "demo", "--name", "Mine"];
const USER = ["--set", "user=joe", "--set", "accounts=2"];
const ID = `${EXCHANGE}-1`;

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

describe.each(["running", "stopped"] as const)("with the gateway %s", (how) => {
  /** A gateway, as far as it runs now; `started` is one that has followed the commands. */
  async function open() {
    const site = await ConnectionSite.open(simulator);
    const first = await site.start();
    if (how === "stopped") await first.stop();
    const started = async () => (how === "running" ? first : await site.start());
    return { site, started };
  }

  test("a connection is added with a password from standard input, and listed", async () => {
    const { site, started } = await open();
    const words = [...ADD, ...USER, "--secrets", "stdin"];
    const said = await site.command(words, { stdin: `password=${site.broker.password}\n` });
    expect(said).toMatch(new RegExp(`^0 ${ID} is added`));
    expect(said).toContain(how === "running" ? "logged in now" : "when the gateway starts");
    const app = await started();
    await site.until(app, ID, "CONNECTED");
    expect(await site.isActive(app, `${ID}-2`)).toBe(true);
    const listed = await site.command(["connection", "list"]);
    expect(listed).toMatch(new RegExp(`^${ID} +Mine +exchange-simulator +demo +CONNECTED `, "m"));
  });

  test("it is edited, paused, resumed and removed", async () => {
    const { site, started } = await open();
    const environment = { CONNECTION_PASSWORD: "not yet right" };
    expect(await site.command([...ADD, ...USER], { environment })).toMatch(/^0 /);
    const right = { environment: { CONNECTION_PASSWORD: site.broker.password } };
    expect(await site.command(["connection", "edit", ID, "--name", "Ours"], right)).toMatch(/^0 /);
    expect(await site.command(["connection", "pause", ID])).toMatch(/^0 .*is paused/);
    expect(await site.command(["connection", "list"])).toMatch(/ Ours .* paused /);
    expect(await site.command(["connection", "test", ID])).toMatch(/^0 .*: (ok|busy|connected)/);
    expect(await site.command(["connection", "resume", ID])).toMatch(/^0 /);
    const app = await started();
    await site.until(app, ID, "CONNECTED");
    expect((await site.read(app, ID)).body).toMatchObject({ name: "Ours", paused: false });
    if (how === "stopped") await app.stop();

    expect(await site.command(["connection", "remove", ID])).toMatch(/^0 .*is removed/);
    const last = how === "stopped" ? await site.start() : app;
    expect((await site.read(last, ID)).status).toBe(404);
    await expect.poll(() => site.isActive(last, `${ID}-1`)).toBe(false);
  });
});

describe("a command that is wrong", () => {
  test("is refused with what is wrong, and adds nothing", async () => {
    const wrong = [
      [
        ["connection", "add", "acme", "--environment", "demo"],
        /broker must be a broker that there is/,
      ],
      [["connection", "add", EXCHANGE, "--environment", "paper"], /"paper" is no environment/],
      [[...ADD, "--set", "user"], /--set takes name=value/],
      [[...ADD, ...USER], /settings\.password is needed/],
      [[...ADD, "--set", "accounts=many"], /settings\.accounts must be a whole number/],
      [[...ADD, "--set", "colour=red"], /settings\.colour is not a known field/],
      [[...ADD, ...USER, "--secrets", "file"], /--secrets takes prompt or stdin/],
      [["connection", "edit", "none-1", "--name", "x"], /no such connection/],
      [["connection", "pause", "paper"], /set by the gateway's own settings/],
      [["connection", "test"], /the connection is missing/],
    ] as const;
    const site = await ConnectionSite.open(simulator);
    const app = await site.start();
    for (const [words, why] of wrong) {
      const said = await site.command(words);
      expect.soft(said, words.join(" ")).toMatch(/^2 /);
      expect.soft(said, words.join(" ")).toMatch(why);
      expect.soft(said, words.join(" ")).not.toMatch(/\n\s+at /);
      const { body } = await site.api(app).get("/v1/connections");
      expect.soft(body.connections, words.join(" ")).toHaveLength(1);
    }
  });

  test("what each broker asks for is listed, with what to know first", async () => {
    const site = await ConnectionSite.open(simulator);
    site.brokers = BROKER_KINDS;
    const all = await site.command(["connection", "brokers"]);
    expect(all).toMatch(/^0 tradovate: Tradovate\. Environments: demo, live$/m);
    expect(all).toMatch(/^password +needed, a secret +- /m);
    const one = await site.command(["connection", "brokers", "projectx"]);
    expect(one).toMatch(/^0 projectx: .* Environments: live$/m);
    expect(one).toMatch(/^firm +needed +topstep theFuturesDesk /m);
    expect(one).toMatch(/^Note: .*VPS, a VPN or a remote server.*looked up on 2026-11-27\)$/m);
    expect(one).not.toContain("tradovate");
    expect(await site.command(["connection", "brokers", "acme"])).toMatch(
      /^2 There is no broker "acme"; there are tradovate, projectx/,
    );
  });

  test("an environment that the broker lacks is refused", async () => {
    const site = await ConnectionSite.open(simulator);
    site.brokers = BROKER_KINDS;
    const set = ["--set", "firm=topstep", "--set", "userName=joe", "--secrets", "stdin"];
    const words = ["connection", "add", "projectx", "--environment", "demo", ...set];
    const said = await site.command(words, { stdin: "apiKey=key-of-joe\n" });
    expect(said).toMatch(/^2 .*environment must be one that projectx has: live/);
  });

  test("a secret among the words is refused, and not repeated", async () => {
    const site = await ConnectionSite.open(simulator);
    const said = await site.command([...ADD, ...USER, "--set", "password=hunter2"]);
    expect(said).toMatch(/^2 password is a secret.*CONNECTION_PASSWORD/);
    expect(said).not.toContain("hunter2");
  });
});

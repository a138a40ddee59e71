// The goal: every command does the same with the gateway running and stopped, and takes effect at once.
// The method: run the commands on a gateway's data folder, and ask the gateway over HTTP what it knows.
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { runCommand } from "../../src/cli/cli.ts";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { GatewayMachine } from "../support/gateway-process.ts";
import { apiClient, postAlert } from "../support/http-client.ts";
import { freePort } from "../support/free-port.ts";
import { ALLOW_RECEIVER, Receiver } from "../support/receiver.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const RESTING = { ...BUY, type: "limit", limitPrice: 6000 };

/** A gateway comes back on its port, which no other process may take while it is stopped. */
const FIRST_PORT = await freePort(2);

let gateway: TestGateway;

interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** One command as the program runs it. */
async function command(...words: string[]): Promise<Said> {
  const said = { out: "", err: "" };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said.out += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.err += String(text);
    return true;
  });
  try {
    const { port } = new URL(gateway.url);
    const config = loadConfig({ DATA_DIR: gateway.dataDir, PORT: port, ...ALLOW_RECEIVER });
    return { status: await runCommand(words, config), ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

async function succeed(...words: string[]): Promise<string> {
  const { status, out, err } = await command(...words);
  expect([status, err]).toEqual([0, ""]);
  return out;
}

const secretIn = (text: string) => /^gwk_\S{43,}$/m.exec(text)?.[0] ?? "";

describe.each([
  ["running", FIRST_PORT],
  ["stopped", FIRST_PORT + 1],
] as const)("with the gateway %s", (how, port) => {
  const own = shareGateway(8, { ...ALLOW_RECEIVER, PORT: String(port) });
  const orders = () => `${own.root}/orders`;
  beforeEach(() => {
    gateway = own.gateway;
  });

  /** Runs commands in the wanted state of the gateway, which runs again afterwards. */
  async function during<Value>(use: () => Promise<Value>): Promise<Value> {
    if (how === "running") return await use();
    const { url } = gateway;
    const stopped = vi.spyOn(gateway, "url", "get").mockReturnValue(url);
    await gateway.halt();
    try {
      return await use();
    } finally {
      stopped.mockRestore();
      await gateway.restart();
    }
  }

  test("a key is created, listed without its secret, and refused once it is revoked", async () => {
    const created = await during(
      async () => await succeed("keys", "create", "--name", "script", "--scopes", "read"),
    );
    const secret = secretIn(created);
    const [id = ""] = created.split(" ");
    expect(created).toContain("(read), shown this once");
    const api = apiClient(gateway.url, secret);
    expect((await api.get("/v1/user")).status).toBe(200);
    expect((await api.post(orders(), BUY)).status).toBe(403);

    const listed = await during(async () => {
      const list = await succeed("keys", "list");
      expect(await succeed("keys", "revoke", id)).toContain(`${id} is revoked`);
      return list;
    });
    expect(listed).toMatch(new RegExp(`^${id} +script +read +\\d{4}-\\S+Z +\\d{4}-\\S+Z +-$`, "m"));
    expect(listed).not.toContain(secret.slice(4));
    const refused = await apiClient(gateway.url, secret).get("/v1/user");
    expect([refused.status, refused.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    expect((await command("keys", "revoke", id)).status).toBe(2);
  });

  test("a destination is listed and tried, and told again what it did not take", async () => {
    const receiver = await Receiver.open();
    onTestFinished(() => receiver.close());
    const { api } = gateway;
    const body = { kind: "webhook", name: "Desk", settings: { url: receiver.url } };
    const { id } = (await api.post("/v1/destinations", body)).body;
    const state = async () => (await api.get(`/v1/destinations/${id}`)).body;
    receiver.status = 410;
    const { url } = await gateway.createWebhook(own.account);
    await postAlert(url, { ...BUY, symbol: "NOPE1!" });
    await waitUntil("it is off", async () => (await state()).disabled !== null);
    await waitUntil("both are kept", async () => (await state()).state.undelivered === 2);
    await during(async () => {
      expect(await succeed("destinations", "list")).toMatch(/^ds_\w+ +Desk +webhook +off +0 +2/m);
      const lines = await succeed("destinations", "undelivered", id as string);
      expect(lines).toMatch(/^ev_\w+ +\S+Z +alert\.refused .*410/m);
      expect(await succeed("destinations", "test", id as string)).toMatch(/^Not delivered: .*410/);
      receiver.status = 200;
      expect(await succeed("destinations", "test", id as string)).toMatch(/^Delivered .*200/);
    });
    await api.patch(`/v1/destinations/${id}`, { enabled: true });
    await during(async () => {
      expect(await succeed("destinations", "replay", id as string)).toContain("2 sent again");
    });
    await waitUntil("both are told", () => receiver.of("alert.refused").length === 2);
    expect((await command("destinations", "test", "ds_none")).err).toContain("destination");
  });

  test("a webhook is created, listed and deleted", async () => {
    const created = await during(
      async () => await succeed("webhooks", "create", "--account", own.account, "--name", "Trend"),
    );
    const url = /^http\S+$/m.exec(created)?.[0] ?? "";
    expect(url.startsWith(`${gateway.url}/hooks/`)).toBe(true);
    const done = await postAlert(url, BUY);
    expect([done.status, done.body.accountId]).toEqual([200, own.account]);

    const [id = ""] = created.split(" ");
    await during(async () => {
      const listed = new RegExp(`^${id} +Trend +${own.account} +native +no`, "m");
      expect(await succeed("webhooks", "list")).toMatch(listed);
      await succeed("webhooks", "delete", id);
    });
    expect((await postAlert(url, { ...BUY, comment: "again" })).status).toBe(404);
  });

  test("limits are set and hold for the next order", async () => {
    const shown = await during(
      async () => await succeed("limits", "set", own.account, "--max-order-qty", "2"),
    );
    expect(shown).toMatch(/^maxOrderQty +2$/m);
    expect((await gateway.api.get(`${own.root}/limits`)).body.maxOrderQty).toBe(2);
    const denied = await gateway.api.post(orders(), { ...BUY, qty: 3 });
    expect(denied.body.error.code).toBe("LIMIT_EXCEEDED");
    expect(await succeed("limits", "show", own.account)).toBe(shown);
  });

  test("the day of an account is set, and shown beside the present one", async () => {
    const clock = ["--begins", "00:00", "--zone", "Europe/Berlin"];
    const shown = await during(async () => await succeed("account", "day", own.account, ...clock));
    expect(shown).toMatch(/^17:00 +America\/Chicago +- +\d{4}-\S+Z$/m);
    expect(shown).toMatch(/^00:00 +Europe\/Berlin +\d{4}-\S+Z +-$/m);
    const { body } = await gateway.api.get(own.root);
    expect(body.day.next).toMatchObject({ begins: "00:00", zone: "Europe/Berlin" });
    expect(shown).toContain(body.day.next.from);
    expect(await succeed("account", "day", own.account)).toBe(shown);
  });

  test.each([
    ["of one account", () => ["--account", own.account]],
    ["of all", () => []],
  ])("the kill switch %s is set: resting entries go, exits pass", async (_, named) => {
    const which = named();
    await gateway.api.post(orders(), { ...BUY, qty: 2 });
    await gateway.api.post(orders(), RESTING);

    const shown = await during(
      async () => await succeed("kill-switch", "on", ...which, "--reason", "night"),
    );

    expect(shown).toMatch(/ +on +night$/m);
    await expect.poll(() => gateway.broker.working(own.account)).toEqual([]);
    const denied = await gateway.api.post(orders(), BUY);
    expect([denied.status, denied.body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
    expect((await gateway.api.post(orders(), { ...BUY, action: "sell" })).status).toBe(201);

    await during(async () => await succeed("kill-switch", "off", ...which));
    expect((await gateway.api.post(orders(), BUY)).status).toBe(201);
    expect(await gateway.broker.positions(own.account)).toEqual({ [ES.code]: 2 });
  });
});

describe("a command that is wrong", () => {
  beforeAll(async () => {
    gateway = await startGateway();
    return gateway.stop;
  });

  test.each([
    [["keys", "create", "--name", "x"], /--scopes is missing/],
    [["keys", "create", "--name", "x", "--scopes", "admin"], /"admin" is no scope/],
    [["keys", "revoke", "key_none"], /no living key key_none/],
    [["webhooks", "create", "--account", "paper-9"], /no such account/],
    [
      ["webhooks", "create", "--account", "paper-1", "--profile", "ninja"],
      /"ninja" is no profile; profiles are native, traderspost/,
    ],
    [["limits", "set", "paper-1", "--max-order-qty", "many"], /"many" is no/],
    [["kill-switch", "on", "--account", "paper-9"], /no such account/],
    [["account", "day", "paper-1", "--begins", "17:00"], /--zone is missing/],
    [["account", "day", "paper-1", "--begins", "5 pm", "--zone", "UTC"], /not "5 pm"/],
    [["account", "day", "paper-1", "--begins", "17:00", "--zone", "Berlin"], /IANA time zone/],
    [["make", "coffee"], /no command "make coffee"[^]*keys create/],
    [["keys", "list", "--all"], /--all/],
  ])("%j is refused with what is wrong", async (words, why) => {
    const { status, out, err } = await command(...words);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(why);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test("beside a right one: a webhook for alerts in another service's words", async () => {
    const words = ["--account", "paper-1", "--profile", "traderspost"];
    const [id = ""] = (await succeed("webhooks", "create", ...words)).split(" ");
    const listed = new RegExp(`^${id} +paper-1 +paper-1 +traderspost +no`, "m");
    expect(await succeed("webhooks", "list")).toMatch(listed);
  });

  test.each([["-1"], ["1.5"], ["1e9"]])("a limit of %s is refused as over HTTP", async (qty) => {
    expect((await command("limits", "set", "paper-1", `--max-order-qty=${qty}`)).status).toBe(2);
    expect((await gateway.api.get("/v1/accounts/paper-1/limits")).body.maxOrderQty).toBe(50);
  });
});

test("the program itself runs a command beside the gateway, and tells by its exit status", async () => {
  const machine = await GatewayMachine.create();
  onTestFinished(machine.stop);
  await machine.start();
  const [created, wrong] = await Promise.all([
    machine.run("keys", "create", "--name", "second", "--scopes", "read,trade"),
    machine.run("keys", "burn"),
  ]);
  expect([created.code, created.stderr]).toEqual([0, ""]);
  const { body } = await machine.api.get("/v1/user");
  expect(body.name).toBe("owner");
  expect(secretIn(created.stdout)).toHaveLength(47);
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  // Three programs start from nothing.
});

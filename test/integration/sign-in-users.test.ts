// The goal: users share an appliance and nothing else, and the command line can bring them and end them.
// The method: two people and a user's every kind of thing on a whole gateway; commands beside it.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { runCommand } from "../../src/cli/cli.ts";
import { ConsoleClient, tokenOf } from "../support/console-client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";

const PASSWORD = "correct horse battery";

let gateway: TestGateway;
let owner: ConsoleClient;

beforeAll(async () => {
  gateway = await startGateway();
  owner = new ConsoleClient(gateway.url);
  await owner.setUp(gateway.setUpLink, "owner", PASSWORD);
});
afterAll(async () => await gateway.stop());

/** One command as the program runs it, and what it said. */
async function command(...words: string[]): Promise<{ status: number; said: string }> {
  let said = "";
  const hear = (text: unknown) => {
    said += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation(hear),
  );
  try {
    const config = loadConfig({ DATA_DIR: gateway.dataDir });
    return { status: await runCommand(words, config), said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Somebody whom a command has added, signed in. */
async function newPerson(name: string): Promise<ConsoleClient & { readonly id: string }> {
  const { said } = await command("users", "add", name);
  const client = new ConsoleClient(gateway.url);
  await client.setUp(said, name, PASSWORD);
  return Object.assign(client, { id: /user_\w+/.exec(said)?.[0] ?? "" });
}

const CONNECTION = {
  broker: "tradovate",
  environment: "demo",
  name: "Evaluation",
  settings: { name: "trader7", password: "secret", cid: "8", sec: "secret" },
};

describe("two users", () => {
  test("none sees or touches what is the other's", async () => {
    const other = await newPerson("other");
    const hook = await owner.ask("POST", "/v1/webhooks", { accountId: "paper-1" });
    const key = await owner.ask("POST", "/v1/keys", { name: "bot", scopes: ["trade"] });
    const connection = await other.ask("POST", "/v1/connections", CONNECTION);
    const alert = await gateway.alert({ action: "buy", symbol: "MNQ1!", qty: 1 });
    expect([hook, key, connection].map(({ status }) => status)).toEqual([201, 201, 201]);

    const own = "/v1/accounts/paper-1";
    const asked: [ConsoleClient, string, string, object?][] = [
      [other, "GET", `${own}/positions`],
      [other, "GET", `${own}/working-orders`],
      [other, "GET", `${own}/trades`],
      [other, "GET", `${own}/limits`],
      [other, "PUT", `${own}/limits`, { maxOrderQty: 1 }],
      [other, "POST", `${own}/orders`, { symbol: "MNQ1!", action: "buy", qty: 1 }],
      [other, "DELETE", `${own}/positions`],
      [other, "POST", "/v1/webhooks", { accountId: "paper-1" }],
      [other, "GET", `/v1/webhooks/${hook.body.id}`],
      [other, "PATCH", `/v1/webhooks/${hook.body.id}`, { paused: true }],
      [other, "DELETE", `/v1/webhooks/${hook.body.id}`],
      [other, "DELETE", `/v1/keys/${key.body.id}`],
      [other, "GET", `/v1/alerts/${alert.body.alertId}`],
      [other, "GET", "/v1/connections/paper"],
      [owner, "GET", `/v1/connections/${connection.body.id}`],
      [owner, "PATCH", `/v1/connections/${connection.body.id}`, { name: "Mine" }],
      [owner, "DELETE", `/v1/connections/${connection.body.id}`],
    ];
    for (const [who, method, path, body] of asked) {
      const { status } = await who.ask(method, path, body);
      expect([method, path, status]).toEqual([method, path, 404]);
    }

    const lists: [string, string, number][] = [
      ["/v1/accounts", "accounts", 0],
      ["/v1/connections", "connections", 1],
      ["/v1/webhooks", "webhooks", 0],
      ["/v1/keys", "keys", 0],
      ["/v1/alerts", "alerts", 0],
    ];
    for (const [path, name, count] of lists) {
      const { body } = await other.ask("GET", path);
      expect([path, body[name].length]).toEqual([path, count]);
    }
  });

  test("a kill switch is its user's alone", async () => {
    const other = await newPerson("careful");
    await other.ask("PUT", "/v1/kill-switch", { active: true });
    expect((await owner.ask("GET", "/v1/kill-switch")).body.active).toBe(false);
  });
});

describe("the command line", () => {
  test("a link sets up once, whoever is meant, and an unknown one is said to be none", async () => {
    const { said } = await command("users", "add", "linked");
    const id = /user_\w+/.exec(said)?.[0] ?? "";
    const again = await command("users", "link", id);
    const visitor = new ConsoleClient(gateway.url);
    const { body } = await visitor.ask("POST", "/v1/set-up/check", { token: tokenOf(again.said) });
    expect(body).toEqual({ user: { id, name: "linked" }, isFirst: false });
    const { status } = await visitor.setUp(again.said, "linked", PASSWORD);
    expect(status).toBe(200);
    expect((await command("users", "list")).said).toMatch(
      new RegExp(`^${id} +linked +set up +0 `, "m"),
    );
    expect(await command("users", "link", "user_nobody")).toMatchObject({
      status: 2,
      said: expect.stringContaining("There is no user user_nobody"),
    });
  });

  test("a removed user is outside at once, with all they had", async () => {
    const leaver = await newPerson("leaver");
    const made = await leaver.ask("POST", "/v1/keys", { name: "bot", scopes: ["read"] });
    const connection = await leaver.ask("POST", "/v1/connections", CONNECTION);
    expect((await command("users", "remove", leaver.id)).status).toBe(0);

    const byKey = { "x-api-key": made.body.key as string };
    const after = await Promise.all([
      leaver.ask("GET", "/v1/session"),
      call(gateway.url, "GET", "/v1/accounts", { headers: byKey }),
      new ConsoleClient(gateway.url).signIn("leaver", PASSWORD),
    ]);
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401]);
    const stored = await gateway.redis.smembers(gateway.keys.addedConnections);
    expect(stored).not.toContain(connection.body.id);
    expect((await command("users", "list")).said).not.toContain(leaver.id);
    // The name is free again.
    await newPerson("leaver");
  });

  test("the first user stays", async () => {
    const { body } = await owner.ask("GET", "/v1/session");
    const refused = await command("users", "remove", body.user.id);
    expect([refused.status, refused.said.includes("the first user")]).toEqual([2, true]);
    expect((await owner.ask("GET", "/v1/session")).status).toBe(200);
  });

  test.each(["a", "two words"])("%j is no name", async (name) => {
    expect((await command("users", "add", name)).status).toBe(2);
  });
});

// The goal: a passkey lets its person in and nobody else, and no answer of one is good twice.
// The method: a software authenticator that makes the bytes that real ones make, on a whole gateway.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import { createRedisSessions } from "../../src/store/people/redis-sessions.ts";
import { Authenticator } from "../support/authenticator.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";

const PASSWORD = "correct horse battery";

let gateway: TestGateway;
let person: ConsoleClient;
let authenticator: Authenticator;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway.stop());

beforeEach(async () => {
  person = await newPerson();
  authenticator = new Authenticator({ origin: person.url });
});

let people = 0;

/** Somebody who is signed in. Each password would cost what many requests do, and none is needed. */
async function newPerson(): Promise<ConsoleClient> {
  const { redis, keys } = gateway;
  const store = createRedisPeople({ redis, keys });
  people += 1;
  const name = `person-${people}`;
  const { userId } = await store.addUser(name);
  const link = await store.createLink(userId);
  const set = await store.setUp(link, { userId, name, passwordHash: "none" });
  if (set !== "done") throw new Error(`Not set up: ${set}`);
  const { secret } = await createRedisSessions({ redis, keys }).begin(userId);
  const client = new ConsoleClient(gateway.url);
  client.cookie = `__Host-session=${secret}`;
  return client;
}

async function offer(client: ConsoleClient = person) {
  const { body } = await client.ask("POST", "/v1/passkeys/options");
  return body as { challengeId: string; options: object };
}

async function addPasskey(by: Authenticator, client: ConsoleClient = person) {
  const { challengeId, options } = await offer(client);
  const response = by.create(options);
  return await client.ask("POST", "/v1/passkeys", { challengeId, name: "Laptop", response });
}

async function askForPasskey(client: ConsoleClient, body: object = {}) {
  const asked = await client.ask("POST", "/v1/session/passkey/options", body);
  return asked.body as { challengeId: string; options: object };
}

async function signIn(client: ConsoleClient, by: Authenticator, asking: object = {}) {
  const { challengeId, options } = await askForPasskey(client, asking);
  return await client.ask("POST", "/v1/session/passkey", {
    challengeId,
    response: by.get(options),
  });
}

const codeOf = ({ body }: { body?: { error?: { code: string } } }) => body?.error?.code;

describe("signing in", () => {
  test("an added passkey signs its person in without name or password", async () => {
    const added = await addPasskey(authenticator);
    expect([added.status, added.body.name]).toEqual([201, "Laptop"]);
    const elsewhere = new ConsoleClient(gateway.url);
    const { status, body } = await signIn(elsewhere, authenticator);
    const me = await person.ask("GET", "/v1/session");
    expect([status, body.user]).toEqual([200, me.body.user]);
    const { body: list } = await elsewhere.ask("GET", "/v1/passkeys");
    expect(list.passkeys).toMatchObject([{ id: added.body.id, lastUsedAt: expect.any(String) }]);
  });

  test("an answer is good once", async () => {
    await addPasskey(authenticator);
    const visitor = new ConsoleClient(gateway.url);
    const { challengeId, options } = await askForPasskey(visitor);
    const answer = { challengeId, response: authenticator.get(options) };
    expect((await visitor.ask("POST", "/v1/session/passkey", answer)).status).toBe(200);
    const again = await new ConsoleClient(gateway.url).ask("POST", "/v1/session/passkey", answer);
    expect([again.status, codeOf(again)]).toEqual([401, "SIGN_IN_FAILED"]);
  });

  test("a challenge that is forgotten is answered in vain", async () => {
    await addPasskey(authenticator);
    const visitor = new ConsoleClient(gateway.url);
    const { challengeId, options } = await askForPasskey(visitor);
    const key = gateway.keys.challenge(challengeId);
    expect(await gateway.redis.pttl(key)).toBeGreaterThan(4 * 60_000);
    await gateway.redis.del(key);
    const answer = { challengeId, response: authenticator.get(options) };
    expect(codeOf(await visitor.ask("POST", "/v1/session/passkey", answer))).toBe("SIGN_IN_FAILED");
  });

  test("a removed passkey lets nobody in", async () => {
    const added = await addPasskey(authenticator);
    expect((await person.ask("DELETE", `/v1/passkeys/${added.body.id}`)).status).toBe(204);
    const visitor = new ConsoleClient(gateway.url);
    expect(codeOf(await signIn(visitor, authenticator))).toBe("SIGN_IN_FAILED");
    expect(visitor.cookie).toBeUndefined();
  });

  test("a copy that signs with an older count is refused", async () => {
    const counting = new Authenticator({ origin: person.url, counts: true });
    await addPasskey(counting);
    const visitor = new ConsoleClient(gateway.url);
    for (let n = 0; n < 2; n += 1) expect((await signIn(visitor, counting)).status).toBe(200);
    counting.forgetSignatures();
    expect(codeOf(await signIn(visitor, counting))).toBe("SIGN_IN_FAILED");
  });

  test.each([
    ["another signature", { signature: Buffer.alloc(70, 1).toString("base64url") }],
    ["another user", { userHandle: Buffer.from("user_nobody").toString("base64url") }],
    ["no user", { userHandle: null }],
    ["no client data", { clientDataJSON: "" }],
    ["no authenticator data", { authenticatorData: "AAAA" }],
  ])("%s is refused as everything else is", async (_, wrong) => {
    await addPasskey(authenticator);
    const visitor = new ConsoleClient(gateway.url);
    const { challengeId, options } = await askForPasskey(visitor);
    const right = authenticator.get(options);
    const response = { ...right, response: { ...right.response, ...wrong } };
    const refused = await visitor.ask("POST", "/v1/session/passkey", { challengeId, response });
    expect([refused.status, codeOf(refused)]).toEqual([401, "SIGN_IN_FAILED"]);
  });
});

describe("confirming", () => {
  test("one's own passkey confirms, and the session goes on under a new secret", async () => {
    await addPasskey(authenticator);
    const { cookie } = person;
    const { body: before } = await person.ask("GET", "/v1/session");
    const { status, body } = await signIn(person, authenticator, { confirm: true });
    expect([status, body.signedInAt, person.cookie === cookie]).toEqual([
      200,
      before.signedInAt,
      false,
    ]);
  });

  test("one that does not say whose it is confirms as well", async () => {
    const silent = new Authenticator({ origin: person.url, namesUser: false });
    await addPasskey(silent);
    expect((await signIn(person, silent, { confirm: true })).status).toBe(200);
  });

  test("another person's passkey does not", async () => {
    await addPasskey(authenticator);
    const other = await newPerson();
    const others = new Authenticator({ origin: other.url });
    await addPasskey(others, other);
    const { challengeId } = await askForPasskey(person, { confirm: true });
    const { options } = await askForPasskey(other);
    const { challenge } = (await askForPasskey(person, { confirm: true })).options as {
      challenge: string;
    };
    const response = others.get({ ...options, challenge });
    const refused = await person.ask("POST", "/v1/session/passkey", { challengeId, response });
    expect(codeOf(refused)).toBe("SIGN_IN_FAILED");
  });

  test("who is not signed in has nothing to confirm", async () => {
    const visitor = new ConsoleClient(gateway.url);
    const { status } = await visitor.ask("POST", "/v1/session/passkey/options", { confirm: true });
    expect(status).toBe(401);
  });
});

describe("adding", () => {
  test.each([
    ["of another site's page", { origin: "https://evil.example" }],
    ["that did not verify its person", { verifies: false }],
  ])("a passkey %s is refused", async (_, options) => {
    const by = new Authenticator({ origin: person.url, ...options });
    const refused = await addPasskey(by);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "response"]);
    expect((await person.ask("GET", "/v1/passkeys")).body.passkeys).toEqual([]);
  });

  test("what one person was offered no other can use", async () => {
    const { challengeId, options } = await offer();
    const other = await newPerson();
    const answer = { challengeId, name: "Mine", response: authenticator.create(options) };
    const refused = await other.ask("POST", "/v1/passkeys", answer);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "challengeId"]);
  });

  test("twenty are all there may be", async () => {
    for (let n = 0; n < 20; n += 1) expect((await addPasskey(authenticator)).status).toBe(201);
    const refused = await person.ask("POST", "/v1/passkeys/options");
    expect([refused.status, codeOf(refused)]).toEqual([422, "TOO_MANY_PASSKEYS"]);
  });

  test("setting up again keeps them, unless it is said to forget them", async () => {
    await addPasskey(authenticator);
    const store = createRedisPeople({ redis: gateway.redis, keys: gateway.keys });
    const { body: me } = await person.ask("GET", "/v1/session");
    for (const [forgetPasskeys, left] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const token = await store.createLink(me.user.id);
      const chosen = { token, name: me.user.name, password: PASSWORD, forgetPasskeys };
      expect((await person.ask("POST", "/v1/set-up", chosen)).status).toBe(200);
      expect((await person.ask("GET", "/v1/passkeys")).body.passkeys).toHaveLength(left);
    }
  });
});

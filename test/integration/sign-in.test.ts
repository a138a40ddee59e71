// The goal: whoever proves who they are comes in, and nobody else does, however they ask.
// The method: a whole gateway with its own Redis, asked as a browser asks it. Nothing waits for a
// clock: time passes by changing what Redis has written down.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { credentialId, userId } from "../../src/domain/ids.ts";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import { Authenticator } from "../support/authenticator.ts";
import { ConsoleClient, tokenOf } from "../support/console-client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { openStream } from "../support/stream-client.ts";
import { waitUntil } from "../support/wait.ts";

const PASSWORD = "correct horse battery";

let gateway: TestGateway;
let owner: ConsoleClient;

beforeAll(async () => {
  gateway = await startGateway();
  owner = new ConsoleClient(gateway.url);
});
afterAll(async () => await gateway.stop());

const people = () => createRedisPeople({ redis: gateway.redis, keys: gateway.keys });

/** Somebody of their own, who has set up their sign-in and is signed in. */
async function newPerson(name: string): Promise<ConsoleClient & { readonly id: string }> {
  const user = await people().addUser(name);
  const client = new ConsoleClient(gateway.url);
  const { status } = await client.setUp(await people().createLink(user.userId), name, PASSWORD);
  if (status !== 200) throw new Error(`Not set up: ${status}`);
  return Object.assign(client, { id: user.userId as string });
}

/** A request that was admitted, and whose body is still to come; answers how to send it. */
async function begin({ url, cookie = "" }: ConsoleClient, method: string, path: string) {
  const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const asking = request(`${url}${path}`, { method, headers, agent: false });
  const answered = once(asking, "response");
  const window = `${sessionKey(cookie)}:window`;
  const before = await gateway.redis.zcard(window);
  asking.flushHeaders();
  await waitUntil("it was admitted", async () => (await gateway.redis.zcard(window)) > before);
  return async (body: object): Promise<number | undefined> => {
    asking.end(JSON.stringify(body));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
}

function sessionKey(cookie: string): string {
  const secret = cookie.slice(cookie.indexOf("=") + 1);
  const hash = createHash("sha256").update(secret).digest("hex");
  return gateway.keys.credential("session", hash);
}

/** Lets time pass for the session that the client has: what is written down is so much older. */
async function age({ cookie = "" }: ConsoleClient, field: string, ms: number): Promise<void> {
  await gateway.redis.hincrby(sessionKey(cookie), field, -ms);
}

const MINUTE_MS = 60_000;

describe("setting up", () => {
  test("the first start's link lets its user choose a password, once", async () => {
    const link = gateway.setUpLink;
    expect(link.startsWith(`${owner.url}/console/#/set-up/gwu_`)).toBe(true);
    const token = tokenOf(link);
    const checked = await owner.ask("POST", "/v1/set-up/check", { token });
    expect(checked.body).toMatchObject({ user: { name: "owner" }, isFirst: true });

    const done = await owner.setUp(link, "owner", PASSWORD);
    expect([done.status, done.body.user.name]).toEqual([200, "owner"]);
    expect(done.headers.get("set-cookie")).toMatch(
      /^__Host-session=gws_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const again = await new ConsoleClient(gateway.url).setUp(link, "other", PASSWORD);
    expect([again.status, again.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test.each([
    ["a name that is too short", { name: "a", password: PASSWORD }, "name"],
    ["a name with a space", { name: "a b", password: PASSWORD }, "name"],
    ["a short password", { name: "somebody", password: "elevenchars" }, "password"],
    [
      "the name as password",
      { name: "a.long.name.of.one", password: "A.long.name.of.one" },
      "password",
    ],
    ["one character", { name: "somebody", password: "xxxxxxxxxxxxxxxx" }, "password"],
  ])("%s is refused and leaves the link as it is", async (_, chosen, path) => {
    const { userId: id } = await people().addUser("somebody");
    const token = await people().createLink(id);
    const visitor = new ConsoleClient(gateway.url);
    const { status, body } = await visitor.ask("POST", "/v1/set-up", { token, ...chosen });
    expect([status, body.error.details[0].path]).toEqual([400, path]);
    const checked = await visitor.ask("POST", "/v1/set-up/check", { token });
    expect([checked.status, checked.body.isFirst]).toEqual([200, false]);
  });

  test("a name is one person's, in upper and lower case", async () => {
    await newPerson("Renée");
    const { userId: id } = await people().addUser("other");
    const other = new ConsoleClient(gateway.url);
    const taken = await other.setUp(await people().createLink(id), "RENE\u0301E", PASSWORD);
    expect([taken.status, taken.body.error.code]).toEqual([409, "NAME_TAKEN"]);
  });

  test("whoever sets up again ends every session there was", async () => {
    const before = await newPerson("again");
    const after = new ConsoleClient(gateway.url);
    const link = await people().createLink(userId(before.id));
    expect((await after.setUp(link, "again", "another long password")).status).toBe(200);
    expect((await before.ask("GET", "/v1/session")).status).toBe(401);
    expect((await after.ask("GET", "/v1/session")).status).toBe(200);
  });
});

describe("signing in", () => {
  test("a person may do what keys may, and what no key may", async () => {
    const answers = await Promise.all([
      owner.ask("GET", "/v1/accounts"),
      owner.ask("GET", "/v1/keys"),
      owner.ask("PUT", "/v1/accounts/paper-1/limits", { maxOrderQty: 5 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const byKey = await gateway.api.get("/v1/keys");
    expect([byKey.status, byKey.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });

  test("an unknown name is answered as a wrong password is", async () => {
    const visitor = new ConsoleClient(gateway.url);
    const wrong = await visitor.signIn("owner", "not the password");
    const unknown = await visitor.signIn("nobody", "not the password");
    for (const { status, body } of [wrong, unknown]) {
      const { code, message, retry } = body.error;
      expect([status, code, message, retry]).toEqual([
        401,
        "SIGN_IN_FAILED",
        "The name or the password is wrong",
        "never",
      ]);
    }
    expect(visitor.cookie).toBeUndefined();
  });

  test("the session has a new secret each time, and the former one is worth nothing", async () => {
    const person = await newPerson("fixed");
    const first = person.cookie;
    await person.signIn("FIXED", PASSWORD);
    expect(person.cookie).not.toBe(first);
    const old = new ConsoleClient(gateway.url);
    old.cookie = first;
    expect((await old.ask("GET", "/v1/session")).status).toBe(401);
  });

  test("a secret that somebody planted is not taken over", async () => {
    await newPerson("planted");
    const victim = new ConsoleClient(gateway.url);
    const planted = `__Host-session=gws_${"A".repeat(43)}`;
    victim.cookie = planted;
    await victim.signIn("planted", PASSWORD);
    expect(victim.cookie).not.toBe(planted);
    const thief = new ConsoleClient(gateway.url);
    thief.cookie = planted;
    expect((await thief.ask("GET", "/v1/session")).status).toBe(401);
  });

  test("signing out ends the session, and an X-API-Key goes before a cookie", async () => {
    const person = await newPerson("leaving");
    const { cookie = "" } = person;
    const out = await person.ask("DELETE", "/v1/session");
    expect([out.status, person.cookie]).toEqual([204, undefined]);
    person.cookie = cookie;
    expect((await person.ask("GET", "/v1/accounts")).status).toBe(401);
    // As revoked it would deny what waits on a lane: an exit clicked right before is to go on.
    const denied = gateway.keys.revoked(credentialId("sess_*"));
    expect(await gateway.redis.keys(denied)).toEqual([]);
    const byKey = { cookie, "x-api-key": gateway.key };
    expect((await call(gateway.url, "GET", "/v1/accounts", { headers: byKey })).status).toBe(200);
  });

  test("of one name five failures from one address make the sixth wait, right or wrong", async () => {
    await newPerson("guessed");
    const visitor = new ConsoleClient(gateway.url);
    const guesses = Array.from({ length: 8 }, () => visitor.signIn("guessed", "a wrong guess"));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    const right = await visitor.signIn("Guessed", PASSWORD);
    expect([right.status, right.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);

    const counters = await gateway.redis.keys(gateway.keys.attempts("pair", "*"));
    await gateway.redis.del(...counters);
    expect((await visitor.signIn("guessed", PASSWORD)).status).toBe(200);
  });

  test("a success forgets the failures before it", async () => {
    await newPerson("clumsy");
    const visitor = new ConsoleClient(gateway.url);
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 3; n += 1) await visitor.signIn("clumsy", "a wrong guess");
      expect((await visitor.signIn("clumsy", PASSWORD)).status).toBe(200);
    }
    await gateway.redis.del(...(await gateway.redis.keys(gateway.keys.attempts("address", "*"))));
  });
});

describe("staying", () => {
  test("two hours without use end it, two hours with use do not", async () => {
    const person = await newPerson("idle");
    await age(person, "lastUsedAt", 119 * MINUTE_MS);
    expect((await person.ask("GET", "/v1/session")).status).toBe(200);
    await age(person, "lastUsedAt", 119 * MINUTE_MS);
    expect((await person.ask("GET", "/v1/session")).status).toBe(200);
    await age(person, "lastUsedAt", 121 * MINUTE_MS);
    const over = await person.ask("GET", "/v1/session");
    expect([over.status, over.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("a page that asks by itself is no use of it", async () => {
    const person = await newPerson("unattended");
    await age(person, "lastUsedAt", 119 * MINUTE_MS);
    const poll = { "sec-fetch-site": "same-origin", "x-unattended": "true" };
    const ask = async () => await person.ask("GET", "/v1/session", undefined, poll);
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(Date.parse(body.idleEndsAt) - Date.now()).toBeLessThan(2 * MINUTE_MS);
    await age(person, "lastUsedAt", 121 * MINUTE_MS);
    expect((await ask()).status).toBe(401);
  });

  test("twelve hours after the sign-in it is forgotten, however often it was renewed", async () => {
    const person = await newPerson("long");
    await age(person, "signedInAt", 60 * MINUTE_MS);
    const { body } = await person.ask("POST", "/v1/session/confirm", { password: PASSWORD });
    const left = Date.parse(body.endsAt) - Date.parse(body.signedInAt);
    expect(left).toBe(12 * 60 * MINUTE_MS);
    const secret = (person.cookie ?? "").split("=")[1] ?? "";
    const hash = createHash("sha256").update(secret).digest("hex");
    const key = gateway.keys.credential("session", hash);
    expect(await gateway.redis.pexpiretime(key)).toBe(Date.parse(body.endsAt));
  });

  test("what gives lasting access asks for a proof of the last 15 minutes; exits do not", async () => {
    const person = await newPerson("stale");
    await age(person, "confirmedAt", 16 * MINUTE_MS);
    const refused = await Promise.all([
      person.ask("POST", "/v1/keys", { name: "mine", scopes: ["read"] }),
      person.ask("POST", "/v1/passkeys/options"),
      person.ask("DELETE", "/v1/passkeys/pass_1"),
      person.ask("POST", "/v1/webhooks", { accountId: "paper-1" }),
      person.ask("PUT", "/v1/user/password", { newPassword: "another long password" }),
    ]);
    expect(refused.map(({ body }) => body.error.code)).toEqual(Array(5).fill("SIGN_IN_AGAIN"));
    expect((await person.ask("PUT", "/v1/kill-switch", { active: true })).status).toBe(200);

    const wrong = await person.ask("POST", "/v1/session/confirm", { password: "not this" });
    expect(wrong.body.error.code).toBe("SIGN_IN_FAILED");
    const before = person.cookie;
    const right = await person.ask("POST", "/v1/session/confirm", { password: PASSWORD });
    expect([right.status, person.cookie === before]).toEqual([200, false]);
    const made = await person.ask("POST", "/v1/keys", { name: "mine", scopes: ["read"] });
    expect(made.status).toBe(201);
  });

  test("a new password ends all other sessions, and the old one is worth nothing", async () => {
    const here = await newPerson("changing");
    const there = new ConsoleClient(gateway.url);
    await there.signIn("changing", PASSWORD);
    const newPassword = "quite another password";
    expect((await here.ask("PUT", "/v1/user/password", { newPassword })).status).toBe(204);
    expect((await here.ask("GET", "/v1/session")).status).toBe(200);
    expect((await there.ask("GET", "/v1/session")).status).toBe(401);
    expect((await there.signIn("changing", PASSWORD)).status).toBe(401);
    expect((await there.signIn("changing", newPassword)).status).toBe(200);
  });

  test.each([
    ["a key", "POST", "/v1/keys", { name: "late", scopes: ["trade"] }],
    ["a password", "PUT", "/v1/user/password", { newPassword: "chosen by the thief" }],
  ])("%s is not to be had by a body that comes after its end", async (_, method, path, body) => {
    const name = `late.${method}`;
    const thief = await newPerson(name);
    const answer = await begin(thief, method, path);
    const back = new ConsoleClient(gateway.url);
    await back.setUp(await people().createLink(userId(thief.id)), name, PASSWORD);

    expect(await answer(body)).toBe(401);
    expect((await back.ask("GET", "/v1/keys")).body.keys).toEqual([]);
    expect((await thief.signIn(name, "chosen by the thief")).status).toBe(401);
    expect((await back.signIn(name, PASSWORD)).status).toBe(200);
  });

  test("nor is an order", async () => {
    const person = new ConsoleClient(gateway.url);
    await person.signIn("owner", PASSWORD);
    const headers = { cookie: person.cookie ?? "", "sec-fetch-site": "same-origin" };
    const path = "/v1/accounts/paper-1/orders";
    const asking = request(`${person.url}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      agent: false,
    });
    const answered = once(asking, "response");
    asking.flushHeaders();
    // Another request has gone there and back: this one's beginning is there.
    expect((await person.ask("GET", "/v1/session")).status).toBe(200);
    await person.ask("DELETE", "/v1/session");
    asking.end(JSON.stringify({ symbol: "ES1!", action: "buy", qty: 1 }));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
    const { body } = await gateway.api.get("/v1/accounts/paper-1/positions");
    expect(body.positions).toEqual([]);
  });

  test("nor is a passkey", async () => {
    const person = await newPerson("late.passkey");
    const { challengeId, options } = (await person.ask("POST", "/v1/passkeys/options")).body;
    const answer = await begin(person, "POST", "/v1/passkeys");
    await person.ask("DELETE", "/v1/session");
    const response = new Authenticator({ origin: person.url }).create(options);
    expect(await answer({ challengeId, name: "Late", response })).toBe(401);
    await person.signIn("late.passkey", PASSWORD);
    expect((await person.ask("GET", "/v1/passkeys")).body.passkeys).toEqual([]);
  });

  test("a removed user's link sets nothing up, and takes no name", async () => {
    const { userId: id } = await people().addUser("nobody");
    const token = await people().createLink(id);
    await people().removeUser(id);
    const visitor = new ConsoleClient(gateway.url);
    const { status, body } = await visitor.setUp(token, "squatted", PASSWORD);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    await newPerson("squatted");
  });

  test("a stream ends within a second of signing out", async () => {
    const person = await newPerson("streaming");
    const stream = await openStream(gateway.url, "", { cookie: person.cookie ?? "" });
    onTestFinished(stream.close);
    expect(stream.status).toBe(200);
    await person.ask("DELETE", "/v1/session");
    await waitUntil("the stream ended", () => stream.end() !== undefined);
    expect(stream.end()).toBe("ended");
  });
});

describe("streams", () => {
  const follow = async ({ cookie = "" }: ConsoleClient) => {
    const stream = await openStream(gateway.url, "", { cookie });
    onTestFinished(stream.close);
    expect(stream.status).toBe(200);
    return stream;
  };

  test("one ends with its session's idle time", async () => {
    const person = await newPerson("watching");
    const stream = await follow(person);
    await age(person, "lastUsedAt", 121 * MINUTE_MS);
    await waitUntil("the stream ended", () => stream.end() !== undefined);
    expect(stream.end()).toBe("ended");
  });

  test("one outlives a confirmation of its session; one of a key ends when the key is revoked", async () => {
    const person = await newPerson("confirming");
    const stream = await follow(person);
    const made = await person.ask("POST", "/v1/keys", { name: "bot", scopes: ["read"] });
    const byKey = await openStream(gateway.url, made.body.key as string);
    onTestFinished(byKey.close);
    await person.ask("POST", "/v1/session/confirm", { password: PASSWORD });
    await person.ask("DELETE", `/v1/keys/${made.body.id}`);
    // Both are looked after in one go: when the one has ended, the other was found to live.
    await waitUntil("the key's stream ended", () => byKey.end() === "ended");
    expect(stream.end()).toBeUndefined();
  });
});

describe("keys", () => {
  test("one is shown once, works, and stops when it is revoked", async () => {
    const person = await newPerson("keeper");
    const made = await person.ask("POST", "/v1/keys", { name: "bot", scopes: ["read"] });
    const { key, id } = made.body;
    const use = async () =>
      (await call(gateway.url, "GET", "/v1/accounts", { headers: { "x-api-key": key } })).status;
    expect(await use()).toBe(200);
    const listed = await person.ask("GET", "/v1/keys");
    expect(listed.text).not.toContain(key);
    expect(listed.body.keys).toMatchObject([{ id, name: "bot", scopes: ["read"] }]);
    for (const status of [204, 204]) {
      expect((await person.ask("DELETE", `/v1/keys/${id}`)).status).toBe(status);
    }
    expect(await use()).toBe(401);
    expect((await person.ask("DELETE", "/v1/keys/key_nobodys")).status).toBe(404);
  });
});

test("no secret of all this is in the log", () => {
  const log = gateway.log.join("\n");
  for (const secret of [PASSWORD, "a wrong guess", "gws_", "gwu_", "gwk_"]) {
    expect(log).not.toContain(secret);
  }
  for (const line of ["Signed in", "Sign-in refused", "Signed out", "API key created"]) {
    expect(log).toContain(`"msg":"${line}"`);
  }
});

import { beforeEach, describe, expect, test } from "vitest";
import { lots, type GuardSettings } from "../../../src/domain/guards/rule.ts";
import { WITHOUT_END } from "../../../src/domain/guards/schedule-rule.ts";
import { credentialId, userId } from "../../../src/domain/ids.ts";
import { minor } from "../../../src/domain/money.ts";
import { errors } from "../../../src/errors.ts";
import type { GuardsChange, GuardsView } from "../../../src/trading/guards/guard-uses.ts";
import type { Session } from "../../../src/domain/people/session.ts";
import { ACCOUNT, admitted, apiKey, NOW, startApp } from "./http-kit.ts";

// Every answer is held against the API document by the kit.

const PATH = "/v1/accounts/paper-1/guards";
const NEXT_DAY = NOW + 7 * 3_600_000;

const settings: GuardSettings = {
  currency: "USD",
  warnPercent: 70,
  entriesOffPercent: 90,
  bufferPercent: 5,
  whenBlind: { then: "alarm", afterSeconds: 60 },
  rules: [
    {
      id: "day",
      mode: "on",
      lock: "hard",
      kind: "loss",
      period: "day",
      limit: minor(100_050),
      counts: "open",
      then: "flatten",
    },
    {
      id: "lots",
      mode: "shadow",
      lock: "soft",
      kind: "lots",
      max: lots(5_000),
      weights: { MES: lots(100) },
    },
    { id: "trades", mode: "on", lock: "soft", kind: "count", of: "trades", max: 5 },
  ],
};

const empty: GuardsView = {
  version: "",
  settings: { ...settings, rules: [] },
  verdicts: [],
  upcoming: {},
  tradingDay: "2026-09-21",
  dayEndsAt: NEXT_DAY,
  asOf: NOW,
};

const view: GuardsView = {
  ...empty,
  version: "7",
  settings,
  next: { settings: { ...settings, rules: settings.rules.slice(1) }, from: NEXT_DAY },
  verdicts: [
    {
      ruleId: "day",
      kind: "loss",
      isShadow: false,
      level: "breach",
      unit: "money",
      figure: -100_055,
      limit: -100_050,
      room: -5,
      usedPercent: 100,
      source: "broker",
      asOf: NOW - 850,
      resetsAt: NEXT_DAY,
      reason: "-1000.55 of -1000.50",
    },
    {
      ruleId: "lots",
      kind: "lots",
      isShadow: true,
      level: "ok",
      unit: "lots",
      figure: 1_100,
      limit: 5_000,
      source: "gateway",
      asOf: NOW + 10,
      reason: "1.1 of 5",
    },
  ],
  judgedAt: NOW - 100,
  entriesRefused: "The account is locked",
  lock: {
    id: "gl_1",
    ruleId: "day",
    at: NOW - 800,
    until: NEXT_DAY,
    lock: "hard",
    then: "flatten",
    reason: "-1000.55 of -1000.50",
    doneAt: NOW - 200,
    figures: { figure: -100_055, limit: -100_050, unit: "money", source: "broker" },
  },
  blind: { since: NOW - 12_000, reason: "No price of ESZ6 for 12 seconds" },
  upcoming: {
    trades: { forbids: "orders", since: NOW + 1_000, until: NOW + 2_000, reason: "News" },
  },
  balance: minor(5_012_345),
  broker: {
    currency: "USD",
    at: NOW - 5_000,
    rules: [
      { kind: "dailyLoss", grade: "liquidate", limit: minor(100_000), isLocked: true },
      { kind: "drawdown", grade: "exitsOnly", floor: minor(4_800_000), trails: "endOfDay" },
      { kind: "flatBy", grade: "liquidate", flatAt: NEXT_DAY - 1 },
    ],
    refusesEntries: "LiquidateOnly",
  },
};

let app: Awaited<ReturnType<typeof startApp>>;
beforeEach(async () => {
  app = await startApp({
    gateway: {
      readGuards: async () => view,
      changeGuards: async () => view,
      lockAccount: async () => view,
      readGuardHistory: async () => ({
        items: [
          { at: NOW, what: "locked", ruleId: "day", reason: "-1000.55 of -1000.50" },
          { at: NOW - 1, what: "changed", reason: "3 rules", by: "key_1" },
        ],
        nextCursor: "c1",
      }),
    },
  });
});

const argsOf = (name: string) => app.calls.filter((call) => call.name === name)[0]?.args;
const iso = (at: number) => new Date(at).toISOString();

describe("GET guards", () => {
  test("tells each rule with its verdict, in whole units of what it counts", async () => {
    const { status, body } = await app.get(PATH);
    expect(status).toBe(200);
    expect(body.rules.map(({ rule }: { rule: object }) => rule)).toEqual([
      { ...settings.rules[0], limit: 1_000.5 },
      { ...settings.rules[1], max: 5, weights: { MES: 0.1 } },
      settings.rules[2],
    ]);
    expect(body.rules[0].verdict).toEqual({
      level: "breach",
      shadow: false,
      unit: "money",
      figure: -1_000.55,
      limit: -1_000.5,
      room: -0.05,
      usedPercent: 100,
      source: "broker",
      asOf: iso(NOW - 850),
      ageMs: 850,
      resetsAt: iso(NEXT_DAY),
      reason: "-1000.55 of -1000.50",
    });
    // Told by another process' clock, it is not younger than now.
    expect(body.rules[1].verdict).toMatchObject({ figure: 1.1, limit: 5, room: null, ageMs: 0 });
    expect(body.rules[2]).toMatchObject({
      verdict: null,
      upcoming: { forbids: "orders", from: iso(NOW + 1_000), until: iso(NOW + 2_000) },
    });
  });

  test("tells the lock, what comes, what is blind, and the broker's own", async () => {
    const { body } = await app.get(PATH);
    expect(body).toMatchObject({
      accountId: "paper-1",
      version: "7",
      settings: { currency: "USD", warnPercent: 70, bufferPercent: 5 },
      next: { from: iso(NEXT_DAY) },
      judgedAt: iso(NOW - 100),
      entriesRefused: "The account is locked",
      lock: {
        until: iso(NEXT_DAY),
        lock: "hard",
        doneAt: iso(NOW - 200),
        figures: { figure: -1_000.55, limit: -1_000.5, unit: "money", source: "broker" },
      },
      blind: { since: iso(NOW - 12_000) },
      balance: 50_123.45,
      dayEndsAt: iso(NEXT_DAY),
    });
    expect(body.next.rules).toHaveLength(2);
    expect(body.broker).toMatchObject({ ageMs: 5_000, refusesEntries: "LiquidateOnly" });
    expect(body.broker.rules).toMatchObject([
      { kind: "dailyLoss", limit: 1_000, floor: null, locked: true },
      { kind: "drawdown", limit: null, floor: 48_000, trails: "endOfDay", locked: false },
      { kind: "flatBy", flatAt: iso(NEXT_DAY - 1) },
    ]);
  });

  test("says null of what is not known", async () => {
    app = await startApp({ gateway: { readGuards: async () => empty } });
    expect((await app.get(PATH)).body).toMatchObject({
      version: "",
      rules: [],
      next: null,
      judgedAt: null,
      entriesRefused: null,
      lock: null,
      blind: null,
      balance: null,
      broker: null,
    });
  });

  test("a figure that is no count of minor units is not shown as one", async () => {
    const verdicts = view.verdicts.map((one) => ({ ...one, figure: Number.NaN, room: 0.5 }));
    const broken = { ...view, verdicts };
    app = await startApp({ gateway: { readGuards: async () => broken } });
    const { body } = await app.get(PATH);
    expect(body.rules[0].verdict).toMatchObject({ figure: null, room: null, limit: -1_000.5 });
  });
});

describe("PUT guards", () => {
  test("fills in what is left out, and reads amounts exactly", async () => {
    const rule = { ...settings.rules[0], limit: "1000.50" };
    const { status } = await app.send("PUT", PATH, { rules: [rule] });
    expect(status).toBe(200);
    const [, account, change] = argsOf("changeGuards") as [unknown, string, GuardsChange];
    expect(account).toBe(ACCOUNT);
    expect(change).toEqual({
      settings: { ...settings, rules: [settings.rules[0]] },
    });
    const told = app.seen.filter(({ name }) => name === "changeMade");
    expect(told).toMatchObject([{ value: { accountId: "paper-1", count: 1 } }]);
  });

  test("takes what GET tells", async () => {
    const { body } = await app.get(PATH);
    const again = {
      ...body.settings,
      rules: body.rules.map(({ rule }: { rule: object }) => rule),
      version: body.version,
      balance: body.balance,
      locksNow: true,
    };
    expect((await app.send("PUT", PATH, again)).status).toBe(200);
    expect(argsOf("changeGuards")?.[2]).toEqual({
      settings,
      version: "7",
      balance: minor(5_012_345),
      locksNow: true,
    });
  });

  test.each([
    [errors.guardsChanged(), 409, "GUARDS_CHANGED"],
    [errors.wouldLockNow([{ path: "rules.0", message: "-1200 of -1000" }]), 409, "WOULD_LOCK_NOW"],
    [errors.insufficientScope("manage", "Loosening a guard"), 403, "INSUFFICIENT_SCOPE"],
  ])("%s", async (error, status, code) => {
    app = await startApp({ gateway: { changeGuards: async () => await Promise.reject(error) } });
    const reply = await app.send("PUT", PATH, { rules: [] });
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(reply.body.error.details).toEqual(error.details);
  });

  test("a key that may only read changes nothing", async () => {
    app = await startApp({ admitKey: async () => admitted(apiKey(["read"])) });
    const asked = [app.send("PUT", PATH, { rules: [] }), app.post(`${PATH}/lock`, {})];
    const codes = (await Promise.all(asked)).map(({ body }) => body.error.code as string);
    expect(codes).toEqual(["INSUFFICIENT_SCOPE", "INSUFFICIENT_SCOPE"]);
    expect(app.calls).toEqual([]);
  });
});

describe("POST lock", () => {
  test.each([
    [undefined, { lock: "soft", then: "exitsOnly" }],
    [
      { until: iso(NOW + 1), lock: "hard", then: "flatten", reason: "Enough" },
      { until: NOW + 1, lock: "hard", then: "flatten", reason: "Enough" },
    ],
  ])("%j", async (body, request) => {
    const { status } = await app.send("POST", `${PATH}/lock`, body);
    expect(status).toBe(200);
    expect(argsOf("lockAccount")?.slice(1)).toEqual([ACCOUNT, request]);
  });

  test.each([
    [{ until: iso(NOW) }, "must be in the future"],
    [{ until: iso(NOW + 32 * 86_400_000) }, "must be at most 31 days from now"],
    [{ until: "tomorrow" }, expect.stringContaining("must be an instant") as string],
  ])("%j is refused", async (body, message) => {
    const reply = await app.post(`${PATH}/lock`, body);
    expect([reply.status, reply.body.error.details]).toEqual([400, [{ path: "until", message }]]);
    expect(app.calls).toEqual([]);
  });
});

const session: Session = {
  id: credentialId("sess_1"),
  userId: userId("u_1"),
  signedInAt: NOW - 3_600_000,
  confirmedAt: NOW,
  lastUsedAt: NOW,
  endsAt: NOW + 43_200_000,
};
const HEADERS = {
  cookie: `__Host-session=gws_${"a".repeat(43)}`,
  "sec-fetch-site": "same-origin",
  "content-type": "application/json",
};

describe("POST unlock", () => {
  const unlock = async (body: object, of: Session = session, error?: Error) => {
    app = await startApp({
      admitSession: async () => admitted(of),
      gateway: {
        unlockAccount: async () => {
          if (error !== undefined) throw error;
          return view;
        },
      },
    });
    return await app.request("POST", `${PATH}/unlock`, {
      headers: HEADERS,
      body: JSON.stringify(body),
    });
  };

  test("is a person's who has just proved who they are, with a reason", async () => {
    expect((await unlock({ reason: "A reset" })).status).toBe(200);
    const [caller, ...rest] = argsOf("unlockAccount") ?? [];
    expect(caller).toMatchObject({ userId: "u_1", credentialId: "sess_1" });
    expect(rest).toEqual([ACCOUNT, { reason: "A reset" }]);
    const told = app.seen.filter(({ name }) => name === "changeMade");
    expect(told).toMatchObject([{ value: { accountId: "paper-1", reason: "A reset" } }]);
  });

  test("an old proof is not enough", async () => {
    const reply = await unlock({ reason: "A reset" }, { ...session, confirmedAt: NOW - 900_000 });
    expect([reply.status, reply.body.error.code]).toEqual([403, "SIGN_IN_AGAIN"]);
    expect(app.calls).toEqual([]);
  });

  test.each([{}, { reason: "" }])("%j has no reason", async (body) => {
    const reply = await unlock(body);
    expect([reply.status, reply.body.error.details[0]?.path]).toEqual([400, "reason"]);
    expect(app.calls).toEqual([]);
  });

  test("no key may, whatever its scopes", async () => {
    const reply = await app.post(`${PATH}/unlock`, { reason: "A reset" });
    expect([reply.status, reply.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(app.calls).toEqual([]);
  });

  test.each([
    [errors.lockIsHard(iso(NEXT_DAY)), "LOCK_IS_HARD"],
    [errors.accountNotLocked(), "ACCOUNT_NOT_LOCKED"],
  ])("%s", async (error, code) => {
    const reply = await unlock({ reason: "A reset" }, session, error);
    expect([reply.status, reply.body.error.code]).toEqual([409, code]);
  });
});

describe("the positions of an inactive account", () => {
  const forget = async (confirmedAt: number, error?: Error) => {
    app = await startApp({
      admitSession: async () => admitted({ ...session, confirmedAt }),
      gateway: {
        forgetPositions: async () => {
          if (error !== undefined) throw error;
        },
        readPositions: async () => ({ value: [], asOf: NOW, live: false }),
      },
    });
    return await app.request("POST", "/v1/accounts/paper-1/positions/forget", { headers: HEADERS });
  };

  test("are taken back by a person who has just proved who they are", async () => {
    const reply = await forget(NOW);
    expect([reply.status, reply.body.positions]).toEqual([200, []]);
    expect(argsOf("forgetPositions")).toMatchObject([{ userId: "u_1" }, ACCOUNT]);
    expect((await forget(NOW - 900_000)).body.error.code).toBe("SIGN_IN_AGAIN");
    expect((await app.post("/v1/accounts/paper-1/positions/forget", {})).status).toBe(403);
  });

  test("stay where the gateway reads the account", async () => {
    const reply = await forget(NOW, errors.accountActive());
    expect([reply.status, reply.body.error.code]).toEqual([409, "ACCOUNT_ACTIVE"]);
  });
});

test("a restriction that never ends has no end", async () => {
  const upcoming = {
    day: { forbids: "entries", since: NOW, until: WITHOUT_END, reason: "Its calendar" },
  } as const;
  app = await startApp({ gateway: { readGuards: async () => ({ ...view, upcoming }) } });
  const { body } = await app.get(PATH);
  expect(body.rules[0].upcoming).toMatchObject({ from: iso(NOW), until: null });
});

test("the history is told in pages", async () => {
  const { body } = await app.get(`${PATH}/history?limit=2&cursor=c0`);
  expect(argsOf("readGuardHistory")?.slice(1)).toEqual([ACCOUNT, { limit: 2, cursor: "c0" }]);
  expect(body).toEqual({
    decisions: [
      { at: iso(NOW), what: "locked", ruleId: "day", reason: "-1000.55 of -1000.50", by: null },
      { at: iso(NOW - 1), what: "changed", ruleId: null, reason: "3 rules", by: "key_1" },
    ],
    nextCursor: "c1",
  });
});

test("what is no account is not looked up", async () => {
  const asked = [
    app.get("/v1/accounts/a%20b/guards"),
    app.get("/v1/accounts/a%20b/guards/history"),
    app.post("/v1/accounts/a%20b/guards/lock", {}),
    app.send("PUT", "/v1/accounts/a%20b/guards", { rules: [] }),
  ];
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(app.calls).toEqual([]);
});

describe("presets", () => {
  test("are listed with what is to be shown beside them", async () => {
    const { body } = await app.get("/v1/guard-presets");
    expect(body.presets).toContainEqual({
      name: "topstep-combine-50k",
      title: "Topstep Trading Combine 50K",
      firm: "Topstep",
      accountSize: 50_000,
      currency: "USD",
      asOf: "2026-11",
      caution: "Dated 2026-11; check with your firm before you rely on it",
    });
    expect(app.calls).toEqual([]);
  });

  test("are read by name", async () => {
    const { body } = await app.get("/v1/guard-presets/earn2trade-gauntlet-mini-50k");
    expect(body).toMatchObject({ firm: "Earn2Trade", settings: { currency: "USD" } });
    expect(body.sources).toContainEqual(expect.objectContaining({ grade: "official" }));
    expect(body.rules).toContainEqual(expect.objectContaining({ kind: "drawdown", size: 2_000 }));
  });

  test.each(["nothing", "a%20b", "constructor"])("there is no %s", async (name) => {
    const { status, body } = await app.get(`/v1/guard-presets/${name}`);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

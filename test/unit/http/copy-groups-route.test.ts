import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { exitsOnlyIn } from "../../../src/domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../../src/domain/copying/copy-group.ts";
import { accountId, copyGroupId, intentId, orderId, userId } from "../../../src/domain/ids.ts";
import type {
  CopyGroupView,
  FollowerState,
  FollowerView,
} from "../../../src/trading/copying/copy-views.ts";
import type { CopyEntry, LoggedCopy } from "../../../src/trading/copying/ports.ts";
import { apiKey, admitted, ES, filled, NOW, record, startApp } from "./http-kit.ts";

// Every answer is held against the API document by the kit.

const LEADER = accountId("paper-1");
const FOLLOWER = accountId("paper-2");
const MES = "MESZ2026" as ContractCode;

const follower: Follower = {
  accountId: FOLLOWER,
  size: { by: "multiplier", multiplier: "0.5", rounding: "up" },
  invert: false,
  symbolMap: { ES: "MES" },
  allowedSymbols: ["MES"],
  maxQty: 5,
  enabled: true,
  joining: [],
};
const group: CopyGroup = {
  groupId: copyGroupId("cg_1"),
  userId: userId("u_1"),
  leader: LEADER,
  name: "Evaluations",
  mode: "fills",
  drift: "repair",
  driftAfterSeconds: 10,
  maxAgeSeconds: 30,
  stopAfterRejects: 3,
  paused: false,
  followers: [follower],
  createdAt: NOW,
};
const followerView: FollowerView = {
  follower,
  state: "following",
  connectionStatus: "CONNECTED",
  otherMarkets: [],
  positions: [],
};
const view: CopyGroupView = { group, leaderStatus: "CONNECTED", followers: [followerView] };

const entry: CopyEntry = {
  copyId: intentId("i0123"),
  groupId: group.groupId,
  userId: group.userId,
  leader: LEADER,
  follower: FOLLOWER,
  cause: "fill",
  leaderAt: NOW,
  notedAt: NOW + 1,
  leaderContract: ES,
  leaderSide: "SELL",
  leaderQty: 4,
  leaderPx: { numerator: 20_001, denominator: 1 },
  leaderOrderId: orderId("4000001"),
  contract: MES,
  targetQty: -2,
  decisions: [],
};

let app: Awaited<ReturnType<typeof startApp>>;
let shown: CopyGroupView;
let copies: readonly LoggedCopy[];

beforeEach(async () => {
  [shown, copies] = [view, []];
  const answer = async () => shown;
  app = await startApp({
    gateway: {
      listCopyGroups: async () => [shown],
      findCopyGroup: answer,
      createCopyGroup: answer,
      changeCopyGroup: answer,
      deleteCopyGroup: async () => undefined,
      putFollower: answer,
      changeFollower: answer,
      removeFollower: answer,
      syncCopyGroup: async () => [entry],
      listCopies: async () => ({ items: copies, nextCursor: "next" }),
    },
  });
});

const GROUPS = "/v1/copy-groups";
const GROUP = `${GROUPS}/cg_1`;
const OF_FOLLOWER = `${GROUP}/followers/paper-2`;

const lastCall = () => {
  const { name, args } = app.calls.at(-1) ?? { name: "", args: [] };
  return [name, ...args.slice(1)];
};

describe("a group is asked for in the domain's words", () => {
  test("when it is made", async () => {
    const followers = [
      { accountId: "paper-2", multiplier: 0.5, rounding: "up", maxQty: 5 },
      { accountId: "paper-3", fixedQty: 1, invert: true, enabled: false },
    ];
    const body = { leaderAccountId: "paper-1", driftPolicy: "flatten", paused: true, followers };
    const { status, headers } = await app.post(GROUPS, body);
    expect([status, headers.get("content-type")]).toEqual([201, "application/json; charset=utf-8"]);
    expect(lastCall()).toEqual([
      "createCopyGroup",
      {
        leader: LEADER,
        drift: "flatten",
        paused: true,
        followers: [{ ...followers[0], multiplier: "0.5" }, followers[1]],
      },
    ]);
  });

  test.each([
    ["PATCH", GROUP, { driftPolicy: "alarm" }, ["changeCopyGroup", "cg_1", { drift: "alarm" }]],
    ["PATCH", GROUP, { paused: true }, ["changeCopyGroup", "cg_1", { paused: true }]],
    ["PUT", OF_FOLLOWER, {}, ["putFollower", "cg_1", "paper-2", {}]],
    [
      "PUT",
      OF_FOLLOWER,
      { multiplier: 2 },
      ["putFollower", "cg_1", "paper-2", { multiplier: "2" }],
    ],
    [
      "PATCH",
      OF_FOLLOWER,
      { maxQty: null, allowedSymbols: null, resume: true },
      ["changeFollower", "cg_1", "paper-2", { maxQty: null, allowedSymbols: null, resume: true }],
    ],
    ["DELETE", OF_FOLLOWER, undefined, ["removeFollower", "cg_1", "paper-2"]],
  ] as const)("by %s %s %j", async (method, path, body, expected) => {
    const { status, body: told } = await app.send(method, path, body);
    expect([status, told.id]).toEqual([200, "cg_1"]);
    expect(lastCall()).toEqual(expected);
  });

  test("when it is deleted", async () => {
    expect((await app.send("DELETE", GROUP)).status).toBe(204);
    expect(lastCall()).toEqual(["deleteCopyGroup", "cg_1"]);
  });
});

describe("a group is shown", () => {
  test("in the API's words", async () => {
    const { body } = await app.get(GROUPS);
    expect(body).toEqual({
      copyGroups: [
        {
          id: "cg_1",
          name: "Evaluations",
          leaderAccountId: "paper-1",
          mode: "fills",
          driftPolicy: "repair",
          driftAfterSeconds: 10,
          maxAgeSeconds: 30,
          stopAfterRejects: 3,
          paused: false,
          createdAt: "2026-09-21T14:30:00.000Z",
          leader: { connectionStatus: "CONNECTED" },
          followers: [
            {
              accountId: "paper-2",
              multiplier: "0.5",
              rounding: "up",
              fixedQty: null,
              invert: false,
              symbolMap: { ES: "MES" },
              allowedSymbols: ["MES"],
              maxQty: 5,
              enabled: true,
              state: "following",
              reason: null,
              notices: [],
              stoppedAt: null,
              positions: [],
            },
          ],
        },
      ],
    });
  });

  test.each([
    ["fills", [expect.stringMatching(/^it trades ES for NQ, which is another market/)]],
    ["orders", []],
  ] as const)("with a notice of another market where it copies %s: %j", async (mode, notices) => {
    const follows = { ...followerView, otherMarkets: [{ from: "NQ", to: "ES" }] };
    shown = { ...view, group: { ...group, mode }, followers: [follows] };
    expect((await app.get(GROUP)).body.followers[0].notices).toEqual(notices);
  });

  test("with null for what is not set", async () => {
    const { allowedSymbols: _, maxQty: __, ...rest } = follower;
    const fixed: Follower = { ...rest, size: { by: "fixed", qty: 2 }, symbolMap: {} };
    shown = { ...view, followers: [{ ...followerView, follower: fixed }] };
    expect((await app.get(GROUP)).body.followers[0]).toMatchObject({
      multiplier: null,
      rounding: null,
      fixedQty: 2,
      symbolMap: {},
      allowedSymbols: null,
      maxQty: null,
    });
  });

  const position = { contract: MES, leaderQty: -4, targetQty: -2, dueQty: -1, heldQty: 1 };

  test.each<[FollowerState, Partial<FollowerView>, string | null]>([
    [
      "stopped",
      { follower: { ...follower, stopped: { reason: "3 refused", at: NOW } } },
      "3 refused",
    ],
    ["drifting", { positions: [position] }, "ESZ6: it holds 1 and is to hold -1"],
    ["joining", { follower: { ...follower, joining: [MES] } }, exitsOnlyIn({}, true) ?? ""],
    ["offline", { connectionStatus: "RECONNECTING" }, "The follower's connection is RECONNECTING"],
    ["offline", {}, "The leader's connection is FATAL_ERROR"],
    ["paused", {}, null],
    ["off", {}, null],
  ])("with why a follower is %s", async (state, change, reason) => {
    const one = { ...followerView, ...change, state };
    shown = { group, leaderStatus: "FATAL_ERROR", followers: [one] };
    const [told] = (await app.get(GROUP)).body.followers;
    expect(told.state).toBe(state);
    expect(told.reason).toBe(reason);
  });

  test("with what is held, and how far that is from what is due", async () => {
    shown = { ...view, followers: [{ ...followerView, positions: [position] }] };
    expect((await app.get(GROUP)).body.followers[0].positions).toEqual([
      { symbol: "ESZ6", leaderQty: -4, targetQty: -2, heldQty: 1, driftQty: 2 },
    ]);
  });
});

describe("copies", () => {
  test("are asked for by follower and outcome", async () => {
    await app.get(`${GROUP}/copies?limit=7&accountId=paper-2&outcome=skipped&cursor=abc`);
    expect(lastCall()).toEqual([
      "listCopies",
      "cg_1",
      { limit: 7, accountId: "paper-2", outcome: "skipped", cursor: "abc" },
    ]);
    await app.get(`${GROUP}/copies`);
    expect(lastCall()).toEqual(["listCopies", "cg_1", { limit: 50 }]);
  });

  test("tell what the leader did, what came of it, and what that cost", async () => {
    const measure = {
      avgPx: { numerator: 39_999, denominator: 2 },
      filledQty: 2,
      slippageTicks: 1.5,
      sentMs: 3,
      settledMs: 8,
    };
    copies = [{ entry, intent: { ...record(filled), source: { kind: "copy" } }, measure }];
    const { body } = await app.get(`${GROUP}/copies`);
    expect(body).toEqual({
      copies: [
        {
          id: "i0123",
          groupId: "cg_1",
          accountId: "paper-2",
          leaderAccountId: "paper-1",
          cause: "fill",
          outcome: "done",
          reason: "The order in ESZ6 is filled: 1 at 5000.25",
          symbol: "ESZ6",
          targetQty: -2,
          leader: {
            symbol: "ESZ6",
            action: "sell",
            qty: 4,
            averagePrice: 5000.25,
            at: "2026-09-21T14:30:00.000Z",
            orderId: "4000001",
          },
          filledQty: 2,
          averagePrice: 4999.875,
          slippageTicks: 1.5,
          sentMs: 3,
          settledMs: 8,
          notedAt: "2026-09-21T14:30:00.001Z",
          decisions: [],
          intentId: "01J8ZK3V7M",
        },
      ],
      nextCursor: "next",
    });
  });

  test("that were skipped, or that nothing of the leader's led to, say so", async () => {
    const { copyId, groupId, userId: user, leader, follower: account } = entry;
    const bare = { copyId, groupId, userId: user, leader, follower: account, decisions: ["x"] };
    copies = [
      {
        entry: { ...bare, cause: "drift", leaderAt: NOW, notedAt: NOW },
        skipped: { reason: "The follower is switched off" },
      },
    ];
    expect((await app.get(`${GROUP}/copies`)).body.copies).toMatchObject([
      {
        cause: "drift",
        outcome: "skipped",
        reason: "The follower is switched off",
        symbol: null,
        targetQty: null,
        leader: null,
        filledQty: 0,
        averagePrice: null,
        intentId: null,
        decisions: ["x"],
      },
    ]);
  });

  test.each([
    [{}, ["syncCopyGroup", "cg_1", undefined]],
    [{ accountId: "paper-2" }, ["syncCopyGroup", "cg_1", "paper-2"]],
  ])("are made by a sync of %j", async (body, expected) => {
    const reply = await app.post(`${GROUP}/sync`, body);
    expect([reply.status, reply.body]).toEqual([
      202,
      { copies: [{ copyId: "i0123", accountId: "paper-2", symbol: "ESZ6", targetQty: -2 }] },
    ]);
    expect(lastCall()).toEqual(expected);
  });
});

describe("refused at its place", () => {
  const LED = { leaderAccountId: "paper-1", followers: [] };

  test.each<[string, string, object, string]>([
    ["POST", GROUPS, { followers: [] }, "leaderAccountId"],
    ["POST", GROUPS, { leaderAccountId: "paper-1" }, "followers"],
    ["POST", GROUPS, { ...LED, mode: "copy" }, "mode"],
    ["POST", GROUPS, { ...LED, driftPolicy: "wait" }, "driftPolicy"],
    ["POST", GROUPS, { ...LED, driftAfterSeconds: 1 }, "driftAfterSeconds"],
    ["POST", GROUPS, { ...LED, maxAgeSeconds: 601 }, "maxAgeSeconds"],
    ["POST", GROUPS, { ...LED, stopAfterRejects: 0 }, "stopAfterRejects"],
    ["POST", GROUPS, { ...LED, other: 1 }, "other"],
    ["POST", GROUPS, { ...LED, followers: [{}] }, "followers.0.accountId"],
    ["POST", GROUPS, { ...LED, followers: Array(101).fill({ accountId: "a" }) }, "followers"],
    ["PATCH", GROUP, {}, "body"],
    ["PATCH", GROUP, { leaderAccountId: "paper-2" }, "leaderAccountId"],
    ["PATCH", GROUP, { name: "" }, "name"],
    ["PUT", OF_FOLLOWER, { multiplier: true }, "multiplier"],
    ["PUT", OF_FOLLOWER, { rounding: "half" }, "rounding"],
    ["PUT", OF_FOLLOWER, { fixedQty: 0 }, "fixedQty"],
    ["PUT", OF_FOLLOWER, { maxQty: null }, "maxQty"],
    ["PUT", OF_FOLLOWER, { resume: true }, "resume"],
    ["PATCH", OF_FOLLOWER, {}, "body"],
    ["PATCH", OF_FOLLOWER, { resume: false }, "resume"],
    ["PATCH", OF_FOLLOWER, { allowedSymbols: [] }, "allowedSymbols"],
    ["POST", `${GROUP}/sync`, { accountId: 1 }, "accountId"],
    ["GET", `${GROUP}/copies?outcome=refused`, {}, "outcome"],
    ["GET", `${GROUP}/copies?limit=201`, {}, "limit"],
  ])("%s %s %j", async (method, path, body, place) => {
    const { status, body: told } = await app.send(
      method,
      path,
      method === "GET" ? undefined : body,
    );
    expect([status, told.error.details[0]?.path]).toEqual([400, place]);
    expect(app.calls).toEqual([]);
  });

  test.each(["/v1/copy-groups/a%20b", "/v1/copy-groups/a%20b/copies"])(
    "%s is no group of ours, and is not looked up",
    async (path) => {
      expect((await app.get(path)).status).toBe(404);
      expect(app.calls).toEqual([]);
    },
  );

  test("a key that may only read changes nothing", async () => {
    app = await startApp({ admitKey: async () => admitted(apiKey(["read"])) });
    const asked = [
      app.post(GROUPS, { leaderAccountId: "paper-1", followers: [] }),
      app.send("PATCH", GROUP, { paused: true }),
      app.send("DELETE", GROUP),
      app.send("PUT", OF_FOLLOWER, {}),
      app.send("PATCH", OF_FOLLOWER, { enabled: false }),
      app.send("DELETE", OF_FOLLOWER),
      app.post(`${GROUP}/sync`, {}),
    ];
    const codes = (await Promise.all(asked)).map(({ body }) => body.error.code as string);
    expect(new Set(codes)).toEqual(new Set(["INSUFFICIENT_SCOPE"]));
    expect(app.calls).toEqual([]);
  });
});

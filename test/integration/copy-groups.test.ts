// The goal: who follows whom is kept as it was asked for, refused where money could go round in a
// loop, shown as it stands, and nobody else's business.
// The method: copy groups over HTTP on the whole gateway, with paper accounts that trade.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { apiClient, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const MES = frontMonth("MES");
const GROUPS = "/v1/copy-groups";
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
});
afterAll(() => gateway.stop());

const create = async (body: object) => await gateway.api.post(GROUPS, body);

/** A group of accounts that nothing else uses. */
async function openGroup(terms: object = {}, followerTerms: object = {}) {
  const [leader, follower] = [nextAccount(), nextAccount()];
  const followers = [{ accountId: follower, ...followerTerms }];
  const { status, body } = await create({ leaderAccountId: leader, followers, ...terms });
  if (status !== 201) throw new Error(`No group: ${JSON.stringify(body)}`);
  const path = `${GROUPS}/${body.id}`;
  const of = `${path}/followers/${follower}`;
  const buy = async (account: string, qty: number) =>
    await gateway.api.post(`/v1/accounts/${account}/orders`, {
      symbol: "ES1!",
      action: "buy",
      qty,
    });
  const read = async () => (await gateway.api.get(path)).body;
  const copies = async (query = "") => (await gateway.api.get(`${path}/copies?${query}`)).body;
  /** While it is paused, so that its followers come too late for it. */
  const buyAhead = async (qty: number) => {
    await gateway.api.patch(path, { paused: true });
    await buy(leader, qty);
    const isSkipped = async () => (await copies("outcome=skipped")).copies.length === 1;
    await waitUntil("it was not copied", isSkipped);
    await gateway.api.patch(path, { paused: false });
  };
  return {
    id: body.id as string,
    group: body,
    path,
    of,
    leader,
    follower,
    buy,
    buyAhead,
    read,
    copies,
  };
}

/** What a call is refused with: its status, code and message. */
const refusalOf = ({ status, body }: Reply) =>
  `${status} ${body.error.code}: ${body.error.message}`;

describe("a group", () => {
  test("is as it was asked for, safe where nothing was said", async () => {
    const { group, id, leader, follower, read } = await openGroup();
    expect(group).toMatchObject({
      id: expect.stringMatching(/^cg_[0-9a-z]+$/) as string,
      name: leader,
      leaderAccountId: leader,
      mode: "fills",
      driftPolicy: "alarm",
      driftAfterSeconds: 10,
      maxAgeSeconds: 30,
      stopAfterRejects: 3,
      paused: false,
      leader: { connectionStatus: "CONNECTED" },
      followers: [
        {
          accountId: follower,
          multiplier: "1",
          rounding: "down",
          fixedQty: null,
          symbolMap: {},
          notices: [],
          allowedSymbols: null,
          maxQty: null,
          enabled: true,
          state: "following",
          positions: [],
        },
      ],
    });
    expect(await read()).toEqual(group);
    const { body } = await gateway.api.get(GROUPS);
    expect(body.copyGroups.find((one: { id: string }) => one.id === id)).toEqual(group);
  });

  test("says at its creation that a follower trades another market", async () => {
    const { id, follower } = await openGroup();
    const path = `${GROUPS}/${id}/followers/${follower}`;
    const { status, body } = await gateway.api.put(path, { symbolMap: { NQ: "ES", ES: "MES" } });
    expect([status, body.followers[0].notices]).toEqual([
      200,
      [
        "it trades ES for NQ, which is another market: it follows the quantities of NQ, and its prices move otherwise",
      ],
    ]);
  });

  test("is kept over a restart", async () => {
    const own = await startGateway();
    onTestFinished(own.stop);
    const followers = [{ accountId: "paper-2", multiplier: 0.25, symbolMap: { es: "mes" } }];
    const asked = { leaderAccountId: "paper-1", name: "Kept", mode: "orders", followers };
    const { body } = await own.api.post(GROUPS, asked);
    await own.restart();
    const { body: after } = await own.api.get(GROUPS);
    expect(after.copyGroups).toMatchObject([
      {
        id: body.id as string,
        name: "Kept",
        mode: "orders",
        createdAt: body.createdAt as string,
        followers: [{ multiplier: "0.25", symbolMap: { ES: "MES" } }],
      },
    ]);
  });

  test("keeps what a change leaves out", async () => {
    const { group, path, read } = await openGroup({ driftPolicy: "repair", maxAgeSeconds: 5 });
    const changed = await gateway.api.patch(path, { name: "Renamed", stopAfterRejects: 1 });
    expect(changed.body).toEqual({ ...group, name: "Renamed", stopAfterRejects: 1 });
    expect(await read()).toEqual(changed.body);
  });

  test("is gone when it is deleted, and its accounts are free again", async () => {
    const { path, leader, follower } = await openGroup();
    expect((await gateway.api.delete(path)).status).toBe(204);
    expect((await gateway.api.delete(path)).status).toBe(404);
    expect((await gateway.api.get(path)).status).toBe(404);
    const other = await create({ leaderAccountId: follower, followers: [{ accountId: leader }] });
    expect(other.status).toBe(201);
  });

  test("has each of four followers that are added at once", async () => {
    const { path } = await openGroup();
    const accounts = Array.from({ length: 4 }, () => nextAccount());
    const added = await Promise.all(
      accounts.map((account) => gateway.api.put(`${path}/followers/${account}`, {})),
    );
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await gateway.api.get(path);
    const ids = body.followers.map(({ accountId }: { accountId: string }) => accountId);
    expect(ids).toEqual(expect.arrayContaining(accounts));
  });
});

describe("a loop", () => {
  test("is refused however it would come about", async () => {
    const { id, path, leader, follower } = await openGroup({ name: "Mine" });
    const free = nextAccount();
    const refused = [
      await create({ leaderAccountId: follower, followers: [] }),
      await create({ leaderAccountId: free, followers: [{ accountId: leader }] }),
      await create({ leaderAccountId: free, followers: [{ accountId: follower }] }),
    ];
    const self = await gateway.api.put(`${path}/followers/${leader}`, {});
    const mine = `the copy group "Mine" (${id})`;
    expect([...refused, self].map(refusalOf)).toEqual([
      `409 COPY_LOOP: ${follower} follows in ${mine}, so it cannot lead`,
      `409 COPY_LOOP: ${leader} leads ${mine}, so it cannot follow`,
      `409 COPY_LOOP: ${follower} follows in ${mine} already, and can follow one leader only`,
      `409 COPY_LOOP: ${leader} cannot follow itself`,
    ]);
  });

  test("is none where one account leads two groups", async () => {
    const { leader } = await openGroup();
    const followers = [{ accountId: nextAccount() }];
    expect((await create({ leaderAccountId: leader, followers })).status).toBe(201);
  });
});

describe("what is wrong is named at its place", () => {
  test.each([
    [{ followers: [{ multiplier: 0 }] }, ["followers.0.multiplier"]],
    [{ followers: [{ multiplier: 1, fixedQty: 1 }] }, ["followers.0.fixedQty"]],
    [{ followers: [{}, { symbolMap: { AAPL: "ES" } }] }, ["followers.1.symbolMap.AAPL"]],
    [{ mode: "orders", followers: [{ invert: true }] }, ["mode"]],
  ] as const)("%j", async ({ followers, ...terms }, paths) => {
    const given = followers.map((one) => ({ accountId: nextAccount(), ...one }));
    const { status, body } = await create({
      leaderAccountId: nextAccount(),
      followers: given,
      ...terms,
    });
    const details = body.error.details as readonly { path: string }[];
    expect([status, details.map(({ path }) => path)]).toEqual([400, paths]);
  });

  test("an account twice", async () => {
    const [leaderAccountId, accountId] = [nextAccount(), nextAccount()];
    const followers = [{ accountId }, { accountId }];
    const reply = await create({ leaderAccountId, followers });
    expect(refusalOf(reply)).toMatch(/^400 VALIDATION_FAILED: .* twice/);
  });
});

describe("a follower", () => {
  test("is set, changed and let go", async () => {
    const { path, of, follower } = await openGroup();
    const terms = { fixedQty: 2, symbolMap: { ES: "MES" }, allowedSymbols: ["MES"], maxQty: 4 };
    const put = await gateway.api.put(of, terms);
    expect(put.body.followers).toMatchObject([{ accountId: follower, multiplier: null, ...terms }]);
    const patched = await gateway.api.patch(of, { multiplier: "0.5", maxQty: null });
    expect(patched.body.followers).toMatchObject([
      { ...terms, fixedQty: null, multiplier: "0.5", rounding: "down", maxQty: null },
    ]);
    expect((await gateway.api.delete(of)).body.followers).toEqual([]);
    expect((await gateway.api.delete(of)).status).toBe(404);
    expect((await gateway.api.patch(of, { enabled: true })).status).toBe(404);
    expect((await gateway.api.get(path)).body.followers).toEqual([]);
  });

  test("that comes while the leader is in the market joins, and says so", async () => {
    const { path, buyAhead, read } = await openGroup();
    await buyAhead(2);
    const late = nextAccount();
    await gateway.api.put(`${path}/followers/${late}`, { symbolMap: { ES: "MES" } });
    const { followers } = await read();
    const ahead = { targetQty: 2, leaderQty: 2, heldQty: 0, driftQty: 0 };
    expect(followers).toMatchObject([
      { state: "joining", positions: [{ symbol: ES.symbol, ...ahead }] },
      { state: "joining", positions: [{ symbol: MES.symbol, ...ahead }] },
    ]);
    expect(followers[0].reason).toMatch(/too late for what the leader holds/);
    expect(await gateway.broker.positions(late)).toEqual({});
  });

  test("that holds what it is not to hold is drifting, by how much and why", async () => {
    const { follower, buy, read } = await openGroup();
    await buy(follower, 3);
    await waitUntil("it is seen", async () => (await read()).followers[0].positions.length > 0);
    expect((await read()).followers).toMatchObject([
      {
        state: "drifting",
        reason: `${ES.symbol}: it holds 3 and is to hold 0`,
        positions: [{ symbol: ES.symbol, leaderQty: 0, targetQty: 0, heldQty: 3, driftQty: 3 }],
      },
    ]);
  });

  test("is off, or paused with its group", async () => {
    const { path, of, read } = await openGroup();
    await gateway.api.patch(of, { enabled: false });
    expect((await read()).followers[0].state).toBe("off");
    await gateway.api.patch(path, { paused: true });
    expect((await read()).followers[0].state).toBe("paused");
  });
});

describe("a sync", () => {
  test("brings a follower that is joining to its target", async () => {
    const { path, follower, buyAhead, read, copies } = await openGroup();
    await buyAhead(2);
    const { status, body } = await gateway.api.post(`${path}/sync`, {});
    expect([status, body.copies]).toMatchObject([
      202,
      [{ accountId: follower, symbol: ES.symbol, targetQty: 2 }],
    ]);
    await waitUntil("it is there", async () => {
      const held = await gateway.broker.positions(follower);
      return held[ES.code] === 2;
    });
    await waitUntil("it follows", async () => (await read()).followers[0].state === "following");
    expect((await copies()).copies).toMatchObject([
      { id: body.copies[0].copyId as string, cause: "sync", accountId: follower, leader: null },
      { cause: "fill", outcome: "skipped", reason: "The group is paused", intentId: null },
    ]);
  });

  test("is refused while nothing is copied, and does nothing for one that is not there", async () => {
    const { path, of, follower } = await openGroup();
    const sync = async (body: object) => await gateway.api.post(`${path}/sync`, body);
    expect((await sync({ accountId: nextAccount() })).status).toBe(404);
    await gateway.api.patch(of, { enabled: false });
    expect(refusalOf(await sync({ accountId: follower }))).toMatch(/^409 COPY_PAUSED: .*off/);
    expect((await sync({})).body).toEqual({ copies: [] });
    await gateway.api.patch(path, { paused: true });
    expect(refusalOf(await sync({}))).toMatch(/^409 COPY_PAUSED: .*paused/);
  });
});

describe("the copy log", () => {
  test("tells of each copy of the group, in pages, newest first", async () => {
    const { path, leader, follower, buy, copies } = await openGroup();
    await buy(leader, 1);
    await waitUntil(
      "the first is done",
      async () => (await copies("outcome=done")).copies.length === 1,
    );
    await buy(leader, 2);
    await waitUntil(
      "both are done",
      async () => (await copies("outcome=done")).copies.length === 2,
    );
    expect((await copies()).copies).toMatchObject([
      {
        groupId: path.split("/").at(-1),
        accountId: follower,
        leaderAccountId: leader,
        cause: "fill",
        outcome: "done",
        symbol: ES.symbol,
        targetQty: 3,
        leader: { symbol: ES.symbol, action: "buy", qty: 2 },
      },
      { targetQty: 1, leader: { qty: 1 } },
    ]);
    const first = await copies("limit=1");
    const second = await copies(`limit=1&cursor=${first.nextCursor}`);
    expect([first, second].map((page) => page.copies[0].targetQty)).toEqual([3, 1]);
    const other = await gateway.api.get(`${path}/copies?cursor=${first.nextCursor}&outcome=done`);
    expect(other.status).toBe(400);
    expect((await copies("outcome=rejected")).copies).toEqual([]);
    expect((await copies(`accountId=${leader}`)).copies).toEqual([]);
  });

  test("of one that follows no more is told when it is asked for", async () => {
    const { of, leader, follower, buy, copies } = await openGroup();
    await buy(leader, 1);
    const asked = async () => (await copies(`accountId=${follower}`)).copies;
    await waitUntil("it is copied", async () => (await asked()).length === 1);
    await gateway.api.delete(of);
    expect(await asked()).toHaveLength(1);
    expect((await copies()).copies).toEqual([]);
  });
});

describe("another user", () => {
  async function stranger() {
    const { redis, keys, url } = gateway;
    const { userId } = await createRedisPeople({ redis, keys }).addUser("stranger");
    const credentials = createRedisCredentialStore({ redis, keys });
    const asked = { userId, name: "theirs", scopes: ["read", "trade"] as const };
    return apiClient(url, (await credentials.createKey(asked)).secret);
  }

  test("finds nothing of it, and cannot use its accounts", async () => {
    const { path, of, group, read } = await openGroup();
    const api = await stranger();
    expect((await api.get(GROUPS)).body).toEqual({ copyGroups: [] });
    const replies = [
      await api.get(path),
      await api.patch(path, { paused: true }),
      await api.delete(path),
      await api.put(of, {}),
      await api.patch(of, { enabled: false }),
      await api.delete(of),
      await api.post(`${path}/sync`, {}),
      await api.get(`${path}/copies`),
      await api.post(GROUPS, { leaderAccountId: nextAccount(), followers: [] }),
    ];
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]));
    expect(await read()).toEqual(group);
  });
});

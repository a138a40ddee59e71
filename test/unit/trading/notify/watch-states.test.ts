// The goal: a person is told once that something stands and once that it is over, however often the
// gateway starts in between, and not of what heals within half a minute.
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import { needOf } from "../../../../src/trading/alarms/declared-alarms.ts";
import type { EventDraft, ToldState } from "../../../../src/trading/notify/outbox.ts";
import { watchStates } from "../../../../src/trading/notify/watch-states.ts";
import type { Trouble, Unseen } from "../../../../src/trading/reads/overview.ts";

const OWNER = userId("user_1");
const START = Date.parse("2026-11-26T12:00:00Z");

let troubles: Trouble[];
let unseen: Unseen[];
let now: number;
let states: Map<string, ToldState>;
let told: EventDraft[];

beforeEach(() => {
  [troubles, unseen, now, states, told] = [[], [], START, new Map(), []];
});

async function look(afterMs = 0): Promise<readonly string[]> {
  now += afterMs;
  const before = told.length;
  await watchStates(
    {
      readStanding: async () => ({ troubles, unseen }),
      now: async () => now,
      connectionOf: () => connectionId("c1"),
      outbox: {
        states: async () => new Map(states),
        saveStates: async (_, changed, events) => {
          for (const { key, after: state } of changed) {
            if (state === undefined) states.delete(key);
            else states.set(key, state);
          }
          told.push(...events);
          return true;
        },
      },
    },
    OWNER,
  );
  return told.slice(before).map(({ type }) => type);
}

const trouble = (cause: Trouble["cause"], change: Partial<Trouble> = {}): Trouble => ({
  kind: "connection",
  message: `Something: ${cause}`,
  ...needOf(cause),
  ...change,
});

const down = trouble("connectionLost", { connectionId: connectionId("c1") });
const naked = trouble("unprotected", {
  kind: "unprotected",
  accountId: accountId("paper-1"),
  about: "ESZ6",
  message: "ESZ6 is naked",
});

describe("what stands", () => {
  test("is told at once where money is at risk, and once", async () => {
    troubles = [naked];
    expect(await look()).toEqual(["attention.needed"]);
    expect(told[0]).toMatchObject({
      severity: "critical",
      message: "ESZ6 is naked",
      advice: needOf("unprotected").advice,
      facts: { cause: "unprotected", since: new Date(START).toISOString() },
    });
    expect(await look(60_000)).toEqual([]);
  });

  test("is not over while its account cannot be seen, as after it was paused", async () => {
    troubles = [naked];
    await look();
    const account = accountId("paper-1");
    [troubles, unseen] = [[], [{ accountId: account }]];
    expect(await look(5_000)).toEqual([]);
    unseen = [{ accountId: account, contract: "ESZ6" as ContractCode }];
    expect(await look(5_000)).toEqual([]);
    // Another contract of it, and another account.
    const other = { accountId: accountId("paper-2") };
    unseen = [{ accountId: account, contract: "NQZ6" as ContractCode }, other];
    expect(await look(5_000)).toEqual(["attention.over"]);
    troubles = [naked];
    expect(await look(5_000)).toEqual(["attention.needed"]);
  });

  test("of a follower is not over while its leader's connection cannot be seen", async () => {
    troubles = [trouble("followerDrifted", { accountId: accountId("f-1"), about: "lead-1" })];
    await look();
    [troubles, unseen] = [[], [{ accountId: accountId("lead-1") }]];
    expect(await look(5_000)).toEqual([]);
    unseen = [];
    expect(await look(5_000)).toEqual(["attention.over"]);
  });

  test("of a strategy is seen whatever its broker shows", async () => {
    troubles = [trouble("strategyMissed", { accountId: accountId("f-1"), about: "s" })];
    await look();
    [troubles, unseen] = [[], [{ accountId: accountId("f-1") }]];
    expect(await look(5_000)).not.toEqual([]);
  });

  test("of guards is told with its severity, but for a lock, which its own event tells", async () => {
    const ofGuard = (cause: Trouble["cause"]) =>
      trouble(cause, { kind: "guard", accountId: accountId("paper-1") });
    troubles = [ofGuard("guardBlind"), ofGuard("guardsUnjudged"), ofGuard("accountLocked")];
    await look();
    expect(told.map(({ severity, facts }) => [severity, facts])).toEqual([
      ["critical", expect.objectContaining({ cause: "guardBlind" })],
      ["warning", expect.objectContaining({ cause: "guardsUnjudged" })],
    ]);
    troubles = [];
    expect(await look(5_000)).toEqual(["attention.over", "attention.over"]);
  });

  test("is told as over once it is", async () => {
    troubles = [naked];
    await look();
    troubles = [];
    expect(await look(5_000)).toEqual(["attention.over"]);
    expect(told[1]).toMatchObject({ severity: "info", facts: { cause: "unprotected" } });
    expect(await look(5_000)).toEqual([]);
  });

  test("is told again when it begins again", async () => {
    for (const one of [naked, undefined, naked]) {
      troubles = one === undefined ? [] : [one];
      await look(5_000);
    }
    expect(told.map(({ type }) => type)).toEqual([
      "attention.needed",
      "attention.over",
      "attention.needed",
    ]);
  });
});

describe("a connection that is down", () => {
  test("is told after half a minute, with since when", async () => {
    troubles = [down];
    expect(await look()).toEqual([]);
    expect(await look(29_000)).toEqual([]);
    expect(await look(1_000)).toEqual(["connection.down"]);
    expect(told[0]?.facts).toMatchObject({ since: new Date(START).toISOString() });
  });

  test("and back by then is told neither way", async () => {
    troubles = [down];
    await look();
    troubles = [];
    expect(await look(20_000)).toEqual([]);
    expect(states.size).toBe(0);
  });

  test("is one state although its words change", async () => {
    troubles = [down];
    await look();
    await look(30_000);
    troubles = [{ ...down, message: "The next login is tried at 12:01" }];
    expect(await look(30_000)).toEqual([]);
    expect(told).toHaveLength(1);
  });

  test("is one outage, whatever keeps it down just then", async () => {
    const causes = ["connectionUnowned", "connectionOpening", "connectionLost"] as const;
    for (const cause of [...causes, ...causes]) {
      troubles = [trouble(cause, { connectionId: connectionId("c1") })];
      await look(25_000);
    }
    expect(told.map(({ type }) => type)).toEqual(["connection.down"]);
    troubles = [];
    expect(await look(25_000)).toEqual(["attention.over"]);
  });

  test("hides whether what it would show is over", async () => {
    troubles = [naked];
    await look();
    troubles = [down];
    expect(await look(5_000)).toEqual([]);
    expect(await look(60_000)).toEqual(["connection.down"]);
    troubles = [];
    expect(await look(5_000)).toEqual(["attention.over", "attention.over"]);
  });

  test("is another one once it is refused for good, at once", async () => {
    troubles = [trouble("loginRefused", { connectionId: connectionId("c1") })];
    expect(await look()).toEqual(["connection.refused"]);
  });
});

test("two positions of one account are two states", async () => {
  troubles = [naked, { ...naked, about: "NQZ6", message: "NQZ6 is naked" }];
  expect(await look()).toHaveLength(2);
  troubles = [{ ...naked, message: "Now 3 of ESZ6 are naked" }, troubles[1] as Trouble];
  expect(await look()).toEqual([]);
});

test("an unknown outcome is told by its order, and not here", async () => {
  troubles = [trouble("outcomeUnknown", { accountId: accountId("paper-1") })];
  expect(await look(60_000)).toEqual([]);
});

// The goal: of all processes one looks for what is to be told, accounts of which something has changed
// first and all of them now and then; and a day is summed up once, at its time, and no minute too soon.
import { beforeEach, describe, expect, test } from "vitest";
import { type AccountId, accountId, userId } from "../../../../src/domain/ids.ts";
import type { Destination, DestinationId } from "../../../../src/domain/notify/destination.ts";
import type { CollectEvents } from "../../../../src/trading/notify/collect-events.ts";
import type { StoredDestination } from "../../../../src/trading/notify/destination-store.ts";
import { Teller } from "../../../../src/trading/notify/teller.ts";
import { eventually } from "../../../support/wait.ts";

const OWNER = userId("user_1");
const ACCOUNTS = ["paper-1", "paper-2"].map(accountId);
const DAY_MS = 24 * 3_600_000;
/** A Thursday; 16:00 in Chicago. */
const START = Date.parse("2026-11-26T22:00:00Z");

let now: number;
let all: StoredDestination[];
let holds: boolean;
let isWell: boolean;
let looked: string[];
let told: string[];
let spans: (readonly [since: number, dueAt: number])[];
let states: Promise<void>;

beforeEach(() => {
  [now, holds, isWell] = [START, true, true];
  [all, looked, told, spans] = [[stored({})], [], [], []];
  states = Promise.resolve();
});

function stored(change: Partial<Destination>): StoredDestination {
  const destination = {
    id: "ds_1" as DestinationId,
    userId: OWNER,
    name: "mine",
    kind: "discord",
    rules: [],
    createdAt: START - 24 * 3_600_000,
    ...change,
  } as Destination;
  return { destination, settings: {}, secrets: [], summedUp: "2026-11-25" };
}

function openTeller(): Teller {
  const known = (id: AccountId) => ({ accountId: id, userId: OWNER });
  return new Teller({
    lease: { hold: async () => holds },
    destinations: {
      all: async () => all,
      change: async (id, change) => {
        all = all.map((one) => (one.destination.id === id ? (change(one) ?? one) : one));
        return all[0];
      },
    },
    notices: { state: async () => ({ waiting: 1, undelivered: 0, failures: 0, refusals: 0 }) },
    accounts: {
      find: ((id: AccountId) => (ACCOUNTS.includes(id) ? known(id) : undefined)) as never,
      of: (() => ACCOUNTS.map(known)) as never,
      refresh: async () => undefined,
    },
    intents: { now: async () => now },
    collect: {
      ofUser: async () => false,
      ofAccount: async (id: AccountId) => {
        looked.push(id);
        return false;
      },
      tell: async (events: readonly { type: string }[]) =>
        void told.push(...events.map(({ type }) => type)),
    } as unknown as CollectEvents,
    watchStates: async (user) => {
      looked.push(`states of ${user}`);
      await states;
    },
    tellSummary: async (_, { date, dueAt, since }) => {
      told.push(`summary of ${date}`);
      spans.push([since, dueAt]);
    },
    isWell: () => isWell,
    pause: async () => undefined,
    onError: (error) => {
      throw error;
    },
    ring: async (id) => void looked.push(`rings ${id}`),
  });
}

const look = async (teller: Teller, afterMs = 0): Promise<readonly string[]> => {
  now += afterMs;
  looked = [];
  await teller.look();
  return looked;
};

test("a process without the lease looks at nothing", async () => {
  holds = false;
  expect(await look(openTeller())).toEqual([]);
});

test("without destinations nothing is read of any account", async () => {
  all = [];
  expect(await look(openTeller())).toEqual([]);
});

test("all are looked at first, then those that have changed, and all again within half a minute", async () => {
  const teller = openTeller();
  expect(await look(teller)).toEqual([...ACCOUNTS, "rings ds_1"]);
  expect(await look(teller, 1_000)).toEqual([]);
  teller.hear({ accountId: accountId("paper-2") });
  teller.hear({ accountId: accountId("somebody-elses") });
  expect(await look(teller, 1_000)).toEqual(["paper-2"]);
  expect(await look(teller, 28_000)).toEqual([...ACCOUNTS, "rings ds_1"]);
});

test("after words may have been lost all are looked at", async () => {
  const teller = openTeller();
  await look(teller);
  teller.hear("unknown");
  expect(await look(teller, 1_000)).toEqual([...ACCOUNTS, "rings ds_1"]);
});

test("what stands is looked for every five seconds, and nothing waits for it", async () => {
  let answer = () => {};
  states = new Promise((resolve) => (answer = resolve));
  const teller = openTeller();
  const watching = teller.watch();
  await eventually(() => expect(looked).toEqual(["states of user_1"]));
  expect(await look(teller)).toEqual([...ACCOUNTS, "rings ds_1"]);
  answer();
  await watching;
  now += 4_999;
  looked = [];
  await teller.watch();
  expect(looked).toEqual([]);
  now += 1;
  await teller.watch();
  expect(looked).toEqual(["states of user_1"]);
  holds = false;
  now += 5_000;
  await teller.watch();
  expect(looked).toHaveLength(1);
});

describe("a summary", () => {
  const summary = { at: "16:05", zone: "America/Chicago" };

  test("is told at its time, once, and the next day again", async () => {
    all = [stored({ summary })];
    const teller = openTeller();
    await look(teller, 4 * 60_000);
    expect(told).toEqual([]);
    await look(teller, 60_000);
    await look(teller, 60_000);
    expect(told).toEqual(["summary of 2026-11-26"]);
    await look(openTeller(), 60_000);
    expect(told).toHaveLength(1);
    await look(teller, 24 * 3_600_000);
    expect(told).toEqual(["summary of 2026-11-26", "summary of 2026-11-27"]);
    const [first, second] = spans;
    // The first one after an update has a day.
    expect(first?.[1]).toBe(START + 5 * 60_000);
    expect([first?.[0], second?.[0]]).toEqual([Number(first?.[1]) - DAY_MS, first?.[1]]);
  });

  test("is told after its time where nobody was there then", async () => {
    all = [stored({ summary })];
    await look(openTeller(), 3 * 3_600_000);
    expect(told).toEqual(["summary of 2026-11-26"]);
  });

  test("is told although its minute was the last one before midnight", async () => {
    all = [stored({ summary: { at: "23:59", zone: "UTC" } })];
    const teller = openTeller();
    await look(teller, 2 * 3_600_000 + 30_000);
    expect(told).toEqual(["summary of 2026-11-26"]);
  });

  test("is not told at once of a day that was over as it was asked for", async () => {
    all = [{ ...stored({ summary, createdAt: START + 10 * 60_000 }), summedUp: "2026-11-26" }];
    await look(openTeller(), 11 * 60_000);
    expect(told).toEqual([]);
  });
});

describe("a heartbeat", () => {
  test("beats once a minute, while all is well", async () => {
    all = [stored({ kind: "heartbeat" })];
    const teller = openTeller();
    await look(teller);
    await look(teller, 1_000);
    expect(told).toEqual(["gateway.alive"]);
    isWell = false;
    await look(teller, 60_000);
    expect(told).toHaveLength(1);
    isWell = true;
    await look(teller, 60_000);
    expect(told).toHaveLength(2);
  });
});

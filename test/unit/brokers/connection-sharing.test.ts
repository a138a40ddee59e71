import { describe, expect, test } from "vitest";
import type { ConnectionPlan } from "../../../src/brokers/connection-owner.ts";
import { ConnectionPool, type ConnectionPoolDeps } from "../../../src/brokers/connection-pool.ts";
import { UnfitHereError } from "../../../src/brokers/session-errors.ts";
import { type ConnectionId, connectionId } from "../../../src/domain/ids.ts";
import { ScriptedAdapter } from "./connection-kit.ts";
import { LeaseTable } from "./memory-leases.ts";
import { StopTable } from "./memory-stops.ts";
import { eventually } from "../../support/wait.ts";

const ALL = Array.from({ length: 8 }, (_, index) => connectionId(`tradovate-${index + 1}`));

/** What each test has to itself: they run at once, as they wait for real time. */
class World {
  readonly table = new LeaseTable();
  readonly stops = new StopTable();
  readonly log: string[] = [];
  readonly pools: ConnectionPool[] = [];
  readonly #ends: (() => void)[] = [];

  readonly open = (owner: string, settings: Partial<ConnectionPoolDeps> = {}): ConnectionPool => {
    const pool = new ConnectionPool({
      leases: this.table.of(owner),
      records: this.stops,
      plans: ALL.map((connection) => ({
        connectionId: connection,
        open: () => new ScriptedAdapter(),
      })),
      onOwned: async (connection) => {
        this.log.push(`${owner} owns ${connection}`);
        return () => this.log.push(`${owner} leaves ${connection}`);
      },
      onOpened: async () => undefined,
      onSession: async () => undefined,
      onStatus: () => undefined,
      onReport: () => undefined,
      onError: () => undefined,
      ...settings,
    });
    this.pools.push(pool);
    pool.start();
    return pool;
  };

  /** Does so again and again until the test is over. */
  readonly repeat = (everyMs: number, act: () => void): void => {
    const timer = setInterval(act, everyMs);
    this.#ends.push(() => clearInterval(timer));
  };

  async end(): Promise<void> {
    for (const end of this.#ends) end();
    await Promise.all(this.pools.map((pool) => pool.stop()));
  }
}

const inWorld = (act: (world: World) => Promise<void>) => async (): Promise<void> => {
  const world = new World();
  try {
    await act(world);
  } finally {
    await world.end();
  }
};

/** Of a process that has another key than the others. */
const unfitPlan = (connection: ConnectionId): ConnectionPlan => ({
  connectionId: connection,
  open: () => {
    throw new UnfitHereError("It is sealed with another key", new ScriptedAdapter());
  },
});

const ownedBy = (pool: ConnectionPool): readonly ConnectionId[] =>
  pool.statuses().map(({ connectionId: connection }) => connection);

const shared = async (...counts: readonly (readonly [ConnectionPool, number])[]) =>
  await eventually(() => {
    for (const [pool, count] of counts) {
      expect(pool.statuses().filter(({ status }) => status === "CONNECTED")).toHaveLength(count);
    }
  });

describe.concurrent("connections that processes share", () => {
  test(
    "a process that comes is given its part, each connection drained and moved once",
    inWorld(async ({ log, open }) => {
      const drained: ConnectionId[] = [];
      const us = open("us", {
        onLeaving: async (connection) => {
          expect(us.isLeaving(connection)).toBe(true);
          drained.push(connection);
        },
      });
      await shared([us, 8]);
      const them = open("them");
      await eventually(() => expect(ownedBy(them).length).toBeGreaterThanOrEqual(3));
      await shared([us, 8 - drained.length], [them, drained.length]);

      expect(drained.length).toBeLessThanOrEqual(5);
      expect(ownedBy(them).toSorted()).toEqual(drained.toSorted());
      const moved = log.filter((line) => line.startsWith("them owns"));
      expect(moved).toHaveLength(drained.length);
      for (const connection of drained) {
        expect(log.indexOf(`us leaves ${connection}`)).toBeLessThan(
          log.indexOf(`them owns ${connection}`),
        );
      }
    }),
  );

  test(
    "what a process leaves is taken by the others",
    inWorld(async ({ open }) => {
      const [us, them] = [open("us"), open("them")];
      await eventually(() => expect(ownedBy(us).length + ownedBy(them).length).toBe(8));
      await them.stop();
      await shared([us, 8]);
    }),
  );

  test(
    "what a dead process owned is taken, though it is still counted for a while",
    inWorld(async ({ table, open }) => {
      await table.of("dead").meet({});
      const us = open("us");
      await eventually(() => expect(ownedBy(us)).toHaveLength(8));
    }),
  );

  test(
    "who has reached its own limit takes no more, and leaves the others to those with room",
    inWorld(async ({ open }) => {
      const us = open("us", { most: 2 });
      await shared([us, 2]);
      // Nobody else is there: what is above the limit waits.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(ownedBy(us)).toHaveLength(2);
      const them = open("them");
      await shared([us, 2], [them, 6]);
    }),
  );

  test(
    "what one cannot take over goes to another, and is not handed back",
    inWorld(async ({ log, open }) => {
      const failing = open("failing", {
        onOwned: async (connection) => {
          log.push(`failing tries ${connection}`);
          throw new Error("The store is half away");
        },
      });
      await eventually(() => expect(log.length).toBeGreaterThanOrEqual(8));
      const us = open("us");
      await shared([us, 8]);
      const before = log.filter((line) => line.startsWith("us leaves")).length;
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      expect(log.filter((line) => line.startsWith("us leaves"))).toHaveLength(before);
      expect(ownedBy(us)).toHaveLength(8);
      expect(ownedBy(failing)).toHaveLength(0);
    }),
  );

  test(
    "nothing is handed over to who is counted and does not take it, but once",
    inWorld(async ({ table, log, open, repeat }) => {
      const us = open("us");
      await shared([us, 8]);
      const frozen = table.of("frozen");
      repeat(500, () => void frozen.meet({}));
      await eventually(() => expect(log.some((line) => line.startsWith("us leaves"))).toBe(true));
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      await shared([us, 8]);
      const left = log.filter((line) => line.startsWith("us leaves"));
      expect(new Set(left).size).toBe(left.length);
    }),
  );

  test(
    "what one cannot open goes back to who can, and nothing is stopped by it",
    inWorld(async ({ stops, log, open }) => {
      const us = open("us");
      await shared([us, 8]);
      const unfit = open("unfit", { plans: ALL.map(unfitPlan) });
      await eventually(() => expect(log.some((line) => line.startsWith("unfit owns"))).toBe(true));
      await eventually(() =>
        expect(log.filter((line) => line.startsWith("us leaves")).length).toBeGreaterThanOrEqual(3),
      );
      await shared([us, 8]);
      expect(ownedBy(unfit)).toHaveLength(0);
      for (const connection of ALL) expect(await stops.stopOf(connection)).toBeUndefined();
    }),
  );

  test(
    "what nobody can open says so, until one comes who can",
    inWorld(async ({ stops, open }) => {
      const unfit = open("unfit", { plans: ALL.map(unfitPlan) });
      const reason = "It is sealed with another key";
      await eventually(() => {
        const stands = ALL.map((connectionId) => ({
          connectionId,
          status: "FATAL_ERROR",
          why: { reason },
        }));
        expect(unfit.statuses()).toEqual(stands);
      });
      for (const connection of ALL) expect(await stops.stopOf(connection)).toBeUndefined();
      await shared([open("us"), 8]);
    }),
  );

  test(
    "at a stop each connection is left as soon as its own lanes have finished",
    inWorld(async ({ open }) => {
      let finish: () => void = () => undefined;
      const slow = new Promise<void>((resolve) => (finish = resolve));
      const us = open("us", {
        onLeaving: async (connection) => (connection === ALL[0] ? await slow : undefined),
      });
      await shared([us, 8]);
      const stopped = us.stop(30_000);
      const them = open("them");
      await shared([us, 1], [them, 7]);
      expect(ownedBy(us)).toEqual([ALL[0]]);
      // What others leave meanwhile is not taken here.
      await them.stop();
      const third = open("third");
      await shared([us, 1], [third, 7]);
      finish();
      await stopped;
      await shared([third, 8]);
    }),
  );

  test(
    "lanes that do not finish in time do not keep a session from its end",
    inWorld(async ({ open }) => {
      const us = open("us", { onLeaving: () => new Promise(() => undefined) });
      await shared([us, 8]);
      await us.stop(100);
      expect(ownedBy(us)).toHaveLength(0);
      await shared([open("them"), 8]);
    }),
  );

  test(
    "a stop ends the sessions also while the store is away",
    inWorld(async ({ table, pools, open }) => {
      const adapters: ScriptedAdapter[] = [];
      const never = new Promise<never>(() => undefined);
      let isAway = false;
      const leases = table.of("us");
      const us = open("us", {
        leases: { ...leases, part: () => never, meet: (me) => (isAway ? never : leases.meet(me)) },
        plans: ALL.map((connectionId) => ({
          connectionId,
          open: () => adapters[adapters.push(new ScriptedAdapter()) - 1],
        })),
      });
      await shared([us, 8]);
      isAway = true;
      void us.stop();
      const signals = () =>
        adapters.flatMap(({ sessions }) => sessions.map(({ signal }) => signal));
      await eventually(() => expect(signals().map(({ aborted }) => aborted)).not.toContain(false));
      pools.splice(0);
    }),
  );

  test(
    "a new connection that nobody has room for ends no session",
    inWorld(async ({ log, open }) => {
      const plans = ALL.map((connectionId) => ({
        connectionId,
        open: () => new ScriptedAdapter(),
      }));
      const us = open("us", { plans: [], most: 2 });
      us.follow(plans.slice(6));
      await shared([us, 2]);
      us.follow(plans);
      // It is settled who is to own them within two looks at the others.
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      expect(ownedBy(us)).toEqual(ALL.slice(6));
      expect(log.filter((line) => line.startsWith("us leaves"))).toEqual([]);
    }),
  );

  test(
    "nothing is handed over to one that is full, until it is not",
    inWorld(async ({ table, log, open, repeat }) => {
      const us = open("us");
      await shared([us, 8]);
      const them = table.of("them");
      let isFull = true;
      repeat(100, () => void them.meet({ most: 4, isFull }));
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      expect(log.filter((line) => line.startsWith("us leaves"))).toEqual([]);
      isFull = false;
      await eventually(() => expect(log.some((line) => line.startsWith("us leaves"))).toBe(true));
    }),
  );

  /** Of a process that does not reach the broker. */
  const cutOff = () => Object.assign(new ScriptedAdapter(), { failure: new Error("ECONNREFUSED") });
  const opening = (adapter: () => ScriptedAdapter) =>
    ALL.map((connectionId) => ({ connectionId, open: adapter }));

  test(
    "what one cannot log in goes back to who can",
    inWorld(async ({ open }) => {
      const us = open("us");
      await shared([us, 8]);
      const them = open("them", { plans: opening(cutOff), connectWithinMs: 1_000 });
      await eventually(() => expect(ownedBy(them).length).toBeGreaterThan(2));
      await shared([us, 8]);
    }),
  );

  test(
    "what nobody can log in stays where it is once all have tried",
    inWorld(async ({ log, open }) => {
      const settings = { plans: opening(cutOff), connectWithinMs: 1_000 };
      const [us, them] = [open("us", settings), open("them", settings)];
      const tries = () => log.filter((line) => line.includes("owns"));
      await eventually(async () => {
        const before = tries();
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        expect(tries()).toEqual(before);
        expect(new Set(before).size).toBe(16);
      });
      expect([...ownedBy(us), ...ownedBy(them)].toSorted()).toEqual(ALL);
    }),
  );

  test(
    "a take-over that failed waits before the next one, whatever is announced",
    inWorld(async ({ table, log, open }) => {
      const leases = table.of("us");
      const release = async (connection: ConnectionId) => {
        await leases.release(connection);
        // The release is announced to this process too, a moment later.
        setTimeout(() => us.look(connection), 5);
      };
      const us = open("us", {
        leases: { ...leases, release },
        onOwned: async (connection) => {
          log.push(`us tries ${connection}`);
          throw new Error("The store is half away");
        },
      });
      const tries = (connection: ConnectionId) =>
        log.filter((line) => line === `us tries ${connection}`).length;
      await eventually(() => expect(Math.min(...ALL.map(tries))).toBeGreaterThan(0));
      const before = log.length;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      // Each pause is a second or more.
      expect(log.length - before).toBeLessThanOrEqual(8 * 3);
    }),
  );

  /** What one process sees, and how often it looked at each connection. */
  function countReads(table: LeaseTable, owner: string) {
    const leases = table.of(owner);
    const reads = new Map<ConnectionId, number>();
    const read = async (connection: ConnectionId) => {
      reads.set(connection, (reads.get(connection) ?? 0) + 1);
      return await leases.read(connection);
    };
    return { leases: { ...leases, read }, reads };
  }

  test(
    "what a dead one had is watched once it is gone, also where another is to own it",
    inWorld(async ({ table, open, repeat }) => {
      // It is there, and takes nothing.
      const frozen = table.of("frozen");
      repeat(100, () => void frozen.meet({}));
      const dead = table.of("dead");
      await Promise.all([frozen, dead].map((leases) => leases.meet({})));
      await Promise.all(ALL.map((connection) => dead.takeOrRenew(connection, "CONNECTED")));
      const { leases, reads } = countReads(table, "us");
      const us = open("us", { leases });
      await eventually(() => expect(reads.size).toBeGreaterThan(0));
      // As in the store, its leases outlive its membership.
      table.forgetMember("dead");
      reads.clear();
      // Others' connections are looked at every few seconds: that would be at most 5 times.
      await eventually(() => expect(Math.max(0, ...reads.values())).toBeGreaterThan(10));
      for (const connection of ALL) table.end(connection);
      await shared([us, 8]);
    }),
  );

  test(
    "what a full worker has no room for costs nothing, and is taken once it has room",
    inWorld(async ({ table, open }) => {
      const { leases, reads } = countReads(table, "us");
      const us = open("us", { most: 2, leases, plans: [] });
      const plans = opening(() => new ScriptedAdapter());
      us.follow(plans);
      await shared([us, 2]);
      reads.clear();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(reads.size).toBe(0);
      const [first] = ownedBy(us);
      us.follow(plans.filter(({ connectionId }) => connectionId !== first));
      await eventually(() => expect(ownedBy(us)).not.toContain(first));
      await shared([us, 2]);
    }),
  );
});

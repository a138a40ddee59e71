// The goal: what an alert, an order and a flatten cost in Redis is known exactly, so that a change that
// adds a command, a round trip or a sync to disk is seen.
// The method: gateways of this process on a Redis of the test's own, through a proxy that hands answers
// back only when nobody can go on without them (support/redis-in-turns.ts). No time is measured.
import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type GatewayOptions, startGateway, type TestGateway } from "../support/gateway.ts";
import type { Reply } from "../support/http-client.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import {
  type Exchange,
  OutOfTimeError,
  RedisInTurns,
  type RoundTrip,
} from "../support/redis-in-turns.ts";
import { scriptNames } from "../support/script-names.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { eventually } from "../support/wait.ts";

interface Cost {
  readonly commands: number;
  /** One after another, from the request to its answer. */
  readonly roundTrips: number;
  /** To disk: at most one for what a connection sends at once. Redis may take what two send together. */
  readonly syncs: number;
  /** What the append-only file grows by, to a hundred: numbers in it grow longer. */
  readonly aofBytes: number;
  /** Each line is a round trip, a `+` another connection, a `!` what Redis synced before it answered. */
  readonly sent: readonly string[];
}

/** What can be asked of an account, and whether an earlier alert is at its broker just then. */
type Asked =
  | `${"an alert" | "an order" | "a flatten"}, lane ${"idle" | "busy"}`
  | `an order with ${"a timeout" | "an exit plan"}, lane idle`;

/** On a busy lane, the end of the order ahead is counted too: it is what the next one waits for. */
type Costs = Readonly<Partial<Record<Asked, Cost>>>;

/** The process that is asked owns the connection. The broker is paper, which stores its own state. */
const BY_OWNER: Costs = {
  "an alert, lane idle": {
    commands: 4,
    roundTrips: 3,
    syncs: 3,
    aofBytes: 5_150,
    sent: ["alert-and-begin!", "commit-broker-state!", "record-fills finish-intent!"],
  },
  "an order, lane idle": {
    commands: 5,
    roundTrips: 4,
    syncs: 4,
    aofBytes: 4_450,
    sent: ["admit!", "intent-and-begin!", "commit-broker-state!", "record-fills finish-intent!"],
  },
  "a flatten, lane idle": {
    commands: 5,
    roundTrips: 4,
    syncs: 4,
    aofBytes: 4_300,
    sent: ["admit!", "intent-and-begin!", "commit-broker-state!", "record-fills finish-intent!"],
  },
  "an alert, lane busy": {
    commands: 8,
    roundTrips: 6,
    syncs: 6,
    aofBytes: 8_250,
    sent: [
      "accept-alert!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "an order, lane busy": {
    commands: 9,
    roundTrips: 7,
    syncs: 7,
    aofBytes: 7_350,
    sent: [
      "admit!",
      "accept-intent!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "a flatten, lane busy": {
    commands: 9,
    roundTrips: 7,
    syncs: 7,
    aofBytes: 7_200,
    sent: [
      "admit!",
      "accept-intent!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
};

/** As above, and the broker keeps its own state, as every broker but paper does. */
const ON_A_BROKER: Costs = {
  "an alert, lane idle": {
    commands: 3,
    roundTrips: 2,
    syncs: 2,
    aofBytes: 4_300,
    sent: ["alert-and-begin!", "record-fills finish-intent!"],
  },
  "an alert, lane busy": {
    commands: 6,
    roundTrips: 4,
    syncs: 4,
    aofBytes: 6_550,
    sent: [
      "accept-alert!",
      "record-fills finish-intent!",
      "begin-sending!",
      "record-fills finish-intent!",
    ],
  },
};

/**
 * As above, with a daily loss that the account is held to: after a fill its ledger is read once, which the
 * next entry waits for. What it is judged by has no other cost, however many rules there are.
 */
const GUARDED: Costs = {
  "an alert, lane idle": {
    commands: 4,
    roundTrips: 2,
    syncs: 2,
    aofBytes: 4_300,
    sent: ["alert-and-begin!", "record-fills finish-intent!", "answered: xrange"],
  },
  "an alert, lane busy": {
    commands: 8,
    roundTrips: 5,
    syncs: 4,
    aofBytes: 6_550,
    sent: [
      "accept-alert!",
      "record-fills finish-intent!",
      "xrange",
      "begin-sending!",
      "record-fills finish-intent!",
      "answered: xrange",
    ],
  },
};

/** Another process owns it: the doorbell calls that one, and the outcome comes back over a channel. */
const BY_ANOTHER: Costs = {
  "an alert, lane idle": {
    commands: 6,
    roundTrips: 5,
    syncs: 5,
    aofBytes: 5_550,
    sent: [
      "accept-alert!",
      "take-next!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "an order, lane idle": {
    commands: 7,
    roundTrips: 6,
    syncs: 6,
    aofBytes: 4_850,
    sent: [
      "admit!",
      "accept-intent!",
      "take-next!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "a flatten, lane idle": {
    commands: 7,
    roundTrips: 6,
    syncs: 6,
    aofBytes: 4_700,
    sent: [
      "admit!",
      "accept-intent!",
      "take-next!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "an alert, lane busy": {
    commands: 8,
    roundTrips: 6,
    syncs: 6,
    aofBytes: 8_250,
    sent: [
      "accept-alert!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "an order, lane busy": {
    commands: 9,
    roundTrips: 7,
    syncs: 7,
    aofBytes: 7_350,
    sent: [
      "admit!",
      "accept-intent!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
  "a flatten, lane busy": {
    commands: 9,
    roundTrips: 7,
    syncs: 7,
    aofBytes: 7_200,
    sent: [
      "admit!",
      "accept-intent!",
      "commit-broker-state!",
      "record-fills finish-intent!",
      "begin-sending!",
      "commit-broker-state!",
      "record-fills finish-intent!",
    ],
  },
};

/** Plans and deadlines are stored with the write-ahead of their order. */
const BESIDE: Costs = {
  "an order with a timeout, lane idle": {
    commands: 3,
    roundTrips: 3,
    syncs: 3,
    aofBytes: 3_150,
    sent: ["admit!", "intent-and-begin!", "finish-intent!"],
  },
  "an order with an exit plan, lane idle": {
    commands: 3,
    roundTrips: 3,
    syncs: 3,
    aofBytes: 3_350,
    sent: ["admit!", "intent-and-begin!", "finish-intent!"],
  },
};

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

type Ask = (gateway: TestGateway, comment: string) => Promise<Reply>;

const alert: Ask = async (gateway, comment) => await gateway.alert({ ...ORDER, comment });
const order: Ask = async ({ api }) => await api.post("/v1/accounts/paper-1/orders", ORDER);
const flatten: Ask = async ({ api }) => await api.delete("/v1/accounts/paper-1/positions");

const timed: Ask = async ({ api }) =>
  await api.post("/v1/accounts/paper-1/orders", {
    ...ORDER,
    type: "limit",
    limitPrice: 3000,
    timeout: { afterSeconds: 3600, then: "cancel" },
  });
const planned: Ask = async ({ api }) =>
  await api.post("/v1/accounts/paper-1/orders", {
    ...ORDER,
    type: "limit",
    limitPrice: 3000,
    exitPlan: { targets: [{ ticks: 8 }], stop: { ticks: 20 } },
  });

const ASKS: readonly (readonly [Asked, Ask])[] = [
  ["an alert, lane idle", alert],
  ["an order, lane idle", order],
  ["a flatten, lane idle", flatten],
  ["an alert, lane busy", alert],
  ["an order, lane busy", order],
  ["a flatten, lane busy", flatten],
  ["an order with a timeout, lane idle", timed],
  ["an order with an exit plan, lane idle", planned],
];

test("asked of the process that owns the connection", async () => {
  const turns = await openTurns();
  const gateway = await open(turns, "all");
  expect(await measureAll({ turns, gateway, owner: gateway }, BY_OWNER)).toEqual(BY_OWNER);
});

test("asked of the process that owns the connection, on a broker that keeps its own state", async () => {
  const turns = await openTurns();
  const gateway = await open(turns, "all", { brokerState: new MemoryStateStore() });
  expect(await measureAll({ turns, gateway, owner: gateway }, ON_A_BROKER)).toEqual(ON_A_BROKER);
});

test("asked of the process that owns the connection, with guards on the account", async () => {
  const turns = await openTurns();
  const gateway = await open(turns, "all", { brokerState: new MemoryStateStore() });
  await guard(gateway);
  expect(await measureAll({ turns, gateway, owner: gateway }, GUARDED)).toEqual(GUARDED);
});

test("an order with a timeout or an exit plan costs no more than one without", async () => {
  const turns = await openTurns();
  const gateway = await open(turns, "all", { brokerState: new MemoryStateStore() });
  expect(await measureAll({ turns, gateway, owner: gateway }, BESIDE)).toEqual(BESIDE);
});

test("asked of another process", async () => {
  const turns = await openTurns();
  const owner = await open(turns, "worker");
  const gateway = await open(turns, "ingress");
  expect(await measureAll({ turns, gateway, owner }, BY_ANOTHER)).toEqual(BY_ANOTHER);
});

async function guard({ api }: TestGateway): Promise<void> {
  const path = "/v1/accounts/paper-1/guards";
  const limit = { period: "day", limit: 1_000_000, counts: "open", then: "flatten" };
  const rule = { id: "daily", kind: "loss", mode: "on", lock: "soft", ...limit };
  expect((await api.put(path, { rules: [rule] })).status).toBe(200);
  const judgedAt = async () => (await api.get(path)).body["judgedAt"] as unknown;
  await expect.poll(judgedAt).not.toBeNull();
}

interface Site {
  readonly turns: RedisInTurns;
  /** Who is asked. */
  readonly gateway: TestGateway;
  /** Who has the broker. */
  readonly owner: TestGateway;
}

async function openTurns(): Promise<RedisInTurns> {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const scripts = await scriptNames();
  const nameOf = ([command = "", first = ""]: readonly string[]) => {
    const name = command.toLowerCase();
    if (name === "publish") return `publish ${first.split(":")[1]}`;
    return name === "evalsha" ? (scripts.get(first) ?? `script ${first}`) : name;
  };
  const socket = path.join(folder, "turns.sock");
  const turns = await RedisInTurns.start({ target: server.path, path: socket, nameOf });
  onTestFinished(() => turns.stop());
  return turns;
}

async function open(
  { url }: RedisInTurns,
  role: "all" | "ingress" | "worker",
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const settings = { REDIS_URL: url, ROLE: role, DEFAULT_MAX_POSITION_QTY: "1000" };
  const gateway = await startGateway({ ...options, settings });
  onTestFinished(gateway.stop);
  return gateway;
}

/** The first round is for what is done once: scripts are loaded, and what is remembered is not yet. */
async function measureAll(site: Site, expected: Costs): Promise<Record<string, Cost>> {
  const costs: Record<string, Cost> = {};
  for (const round of ["first", "second"]) {
    for (const [asked, ask] of ASKS) {
      const known = expected[asked];
      if (known === undefined) continue;
      const comment = `${asked}, ${round}`;
      const watch = asked.endsWith("idle") ? watchIdle : watchBusy;
      const exchange = await watchInTime(site, () => watch(site, ask, comment));
      costs[asked] = costOf(exchange, known.aofBytes);
    }
  }
  return costs;
}

/**
 * A machine that was too slow is watched again, once the connection has its owner back. So is an exchange into which
 * guards wrote, which they do at moments of their own: an order that made them write would show it each time.
 */
async function watchInTime({ gateway }: Site, watch: () => Promise<Exchange>): Promise<Exchange> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      const exchange = await watch();
      if (triesLeft === 0 || !hasGuards(exchange)) return exchange;
    } catch (error) {
      if (!(error instanceof OutOfTimeError) || triesLeft === 0) throw error;
    }
    await eventually(async () => expectDone(await alert(gateway, randomUUID())));
  }
}

const hasGuards = ({ beforeAnswer, afterAnswer }: Exchange): boolean =>
  [...beforeAnswer, ...afterAnswer].flat().some(({ names }) => names.includes("write-guards"));

async function watchIdle({ turns, gateway }: Site, ask: Ask, comment: string): Promise<Exchange> {
  const request = async () => expectDone(await ask(gateway, comment));
  return await turns.watch({ url: gateway.url, request });
}

/** The broker answers the order ahead when everything that is asked waits for it. */
async function watchBusy(
  { turns, gateway, owner }: Site,
  ask: Ask,
  comment: string,
): Promise<Exchange> {
  const { isHeld, release } = holdNextOrder(owner);
  const ahead = async () => {
    const answered = alert(gateway, `ahead of ${comment}`).then(expectDone);
    // Answered before the broker has it, it was refused, and nothing would ever be held.
    await Promise.race([isHeld, answered.then(() => expect.unreachable())]);
    return { answered };
  };
  const request = async () => expectDone(await ask(gateway, comment));
  return await turns.watch({ url: gateway.url, request, ahead, whenAllWait: release });
}

function expectDone({ status, body }: Reply): void {
  expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), body]);
}

function holdNextOrder({ paper }: TestGateway) {
  const submit = paper.submitOrder.bind(paper);
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const isHeld = new Promise<void>((resolve) => {
    const spy = vi.spyOn(paper, "submitOrder").mockImplementationOnce(async (...asked) => {
      spy.mockRestore();
      resolve();
      await isReleased;
      return await submit(...asked);
    });
  });
  return { isHeld, release };
}

function costOf({ beforeAnswer, afterAnswer }: Exchange, expectedBytes: number): Cost {
  const sent = [...beforeAnswer, ...afterAnswer].flat();
  const aofBytes = sent.reduce((sum, one) => sum + one.aofBytes, 0);
  return {
    commands: sent.flatMap(({ names }) => names).length,
    roundTrips: beforeAnswer.length,
    syncs: sent.filter((one) => one.aofBytes > 0).length,
    aofBytes: Math.abs(aofBytes - expectedBytes) <= 100 ? expectedBytes : aofBytes,
    sent: [...beforeAnswer.map(lineOf), ...afterAnswer.map((trip) => `answered: ${lineOf(trip)}`)],
  };
}

function lineOf(trip: RoundTrip): string {
  return trip
    .map(({ names, aofBytes }) => `${names.join(" ")}${aofBytes > 0 ? "!" : ""}`)
    .join(" + ");
}

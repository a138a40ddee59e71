import { setTimeout as sleep } from "node:timers/promises";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { BrokerTape, ordersOf } from "./broker-tape.ts";
import type { Programs } from "./build.ts";
import { type GatewayRunning, startGateway } from "./gateway-contender.ts";
import { AlertPoster, isError } from "./open-loop.ts";
import { startSimulatedBroker } from "./simulated-broker.ts";
import { percentile } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";

export interface CopyingOptions {
  readonly programs: Programs;
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** How long one thing took, over all rounds, in ms by the clock of the one machine. */
export interface CopyingRow {
  readonly what: string;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Alerts without a 2xx, and rounds in which the broker did not have all orders in time. */
  readonly errors: number;
  /** The others are compared with it. */
  readonly isReference?: true;
}

export const FOLLOWERS = 50;
const WARM_UP = 5;
/** What comes after the last order, outcomes and the copy log, is not to meet the next round. */
const REST_MS = 250;

/** What one round measured, in ms; absent where an order was not at the broker in time. */
interface Round {
  readonly times: Readonly<Partial<Record<Measured, number>>>;
  readonly errors: Readonly<Partial<Record<Measured, number>>>;
}

const WHAT = {
  one: "one plain order: from its alert until the broker has it",
  plain: `${FOLLOWERS} plain orders at once: from the alerts until the broker has the last`,
  group: `one alert to a group of ${FOLLOWERS} accounts: until the broker has the last order`,
  first: "copies: from the leader's fill until the broker has the first follower's order",
  last: `copies: from the leader's fill until the broker has the last of ${FOLLOWERS}`,
} as const;

type Measured = keyof typeof WHAT;

/**
 * One leader with 50 followers, and as many accounts that nobody follows, on one gateway and one
 * broker outside of it. The broker's own log tells when it had what.
 */
export async function measureCopying(options: CopyingOptions): Promise<CopyingRow[]> {
  const { rounds, say } = options;
  const found = await withSite(options, async (site) => {
    for (let round = 0; round < WARM_UP; round += 1) await measureRound(site, round);
    const measured: Round[] = [];
    while (measured.length < rounds) {
      measured.push(await measureRound(site, WARM_UP + measured.length));
    }
    return measured;
  });
  say(`${rounds} fills copied to ${FOLLOWERS} followers, and alerts sent to a group of as many`);
  return (Object.keys(WHAT) as Measured[]).map((key) => {
    const times = found.flatMap(({ times: measured }) => measured[key] ?? []);
    const errors = found.reduce((sum, round) => sum + (round.errors[key] ?? 0), 0);
    return {
      what: WHAT[key],
      p50: percentile(times, 50),
      p99: percentile(times, 99),
      max: Math.max(...times),
      errors,
      ...(key === "plain" && { isReference: true }),
    };
  });
}

interface Site {
  readonly tape: BrokerTape;
  readonly poster: AlertPoster;
  readonly leader: Desk;
  readonly followers: readonly string[];
  /** Accounts that neither lead nor follow. */
  readonly plain: readonly Desk[];
  /** The webhook of all of these together. */
  readonly group: Desk;
  readonly signal: AbortSignal;
}

interface Desk {
  readonly account: string;
  readonly hook: string;
}

async function withSite<Value>(
  options: CopyingOptions,
  use: (site: Site) => Promise<Value>,
): Promise<Value> {
  const { signal } = options;
  return await temporaryPlace(options, async (place) => {
    const broker = await startSimulatedBroker(options.programs, 1 + 2 * FOLLOWERS);
    try {
      const { program, settings, accounts } = broker;
      const [first = "", ...others] = accounts;
      const plain = others.slice(FOLLOWERS);
      const gateway = await startGateway(place, settings, [first, ...plain], program);
      const poster = new AlertPoster(gateway.url);
      try {
        const followers = others.slice(0, FOLLOWERS);
        await follow(gateway, first, followers);
        const [leader, ...desks] = [first, ...plain].map((account, n): Desk => {
          return { account, hook: gateway.hooks[n] ?? "" };
        });
        if (leader === undefined) throw new Error("There is no account");
        const group = { account: "", hook: await groupOf(gateway, plain) };
        const tape = new BrokerTape(broker);
        return await use({ tape, poster, leader, followers, plain: desks, group, signal });
      } finally {
        poster.close();
        await gateway.stop();
      }
    } finally {
      await broker.stop();
    }
  });
}

async function follow(
  { api }: GatewayRunning,
  leaderAccountId: string,
  accounts: readonly string[],
): Promise<void> {
  const followers = accounts.map((accountId) => ({ accountId }));
  const { status, text } = await api.post("/v1/copy-groups", { leaderAccountId, followers });
  if (status !== 201) throw new Error(`There is no copy group: ${status} ${text}`);
}

/** The path of a webhook whose alerts go to all of the accounts. */
async function groupOf({ api }: GatewayRunning, accounts: readonly string[]): Promise<string> {
  const members = accounts.map((accountId) => ({ accountId }));
  const group = await api.post("/v1/account-groups", { name: "bench", members });
  if (group.status !== 201) throw new Error(`There is no group: ${group.status} ${group.text}`);
  const hook = await api.post("/v1/webhooks", { groupId: group.body.id as string });
  if (hook.status !== 201) throw new Error(`There is no webhook: ${hook.status} ${hook.text}`);
  return new URL(hook.body.url as string).pathname;
}

/** One after another, so that what the machine does meanwhile hits all of them alike. */
async function measureRound(site: Site, round: number): Promise<Round> {
  const { plain, leader, followers, group } = site;
  const one = await send(site, plain.slice(0, 1), round);
  // The other way round: one of them has just traded, and what it bought it sells again.
  const many = await send(site, plain, round + 1);
  const accounts = plain.map(({ account }) => account);
  const grouped = await send(site, [group], round, accounts);
  const copied = await send(site, [leader], round, followers);
  const filledAt = copied.entries.find(
    ({ account, fill }) => fill !== undefined && account === leader.account,
  )?.at;
  const since = (at: number | undefined) =>
    at === undefined || filledAt === undefined ? undefined : at - filledAt;
  const took = (sent: Sent) => sent.lastAt && sent.lastAt - sent.startedAt;
  const times = {
    one: took(one),
    plain: took(many),
    group: took(grouped),
    first: since(copied.firstAt),
    last: since(copied.lastAt),
  };
  const errors = {
    one: one.errors,
    plain: many.errors,
    group: grouped.errors,
    last: copied.errors,
  };
  return { times: withoutGaps(times), errors };
}

interface Sent {
  /** Unix ms. */
  readonly startedAt: number;
  /** When the broker had the first and the last of the orders; absent when it did not get all. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly entries: readonly LogEntry[];
  readonly errors: number;
}

/** One order of each desk, at once, until the broker has one of each account that is waited for. */
async function send(
  { tape, poster, signal }: Site,
  desks: readonly Desk[],
  round: number,
  accounts: readonly string[] = desks.map(({ account }) => account),
): Promise<Sent> {
  await tape.forget();
  const startedAt = Date.now();
  const answers = Promise.all(desks.map(async ({ hook }) => await poster.post(hook, round)));
  const entries = await tape.untilOrdersOf(accounts, signal);
  const refused = (await answers).filter(isError).length;
  await sleep(REST_MS, undefined, { signal });
  const had = ordersOf(entries, accounts).map(({ at }) => at);
  if (had.length < accounts.length) return { startedAt, entries, errors: refused + 1 };
  const times = { firstAt: Math.min(...had), lastAt: Math.max(...had) };
  return { startedAt, entries, errors: refused, ...times };
}

function withoutGaps(times: Readonly<Record<Measured, number | undefined>>): Round["times"] {
  return Object.fromEntries(Object.entries(times).filter(([, ms]) => ms !== undefined));
}

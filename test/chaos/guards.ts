import type { GuardLock } from "../../src/domain/guards/verdict.ts";
import { endsAtOnce, sign } from "../../src/domain/order.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { ExchangeCommand } from "../simulators/exchange/wire.ts";
import type { BrokerView } from "./broker-view.ts";
import type { DoneFault } from "./faults-done.ts";
import { groupBy } from "./group-by.ts";
import type { StoredDecision } from "./guarding.ts";
import type { History, StoredIntent } from "./history.ts";
import type { Fault } from "./schedule.ts";
import type { Finding, Violation } from "./verdict.ts";

/**
 * A locked account is flat, and nothing works there, so long after nothing fails any more, ms. The gateway raises
 * an alarm after 10 s; two cores that run three such clusters at once need longer.
 */
export const FLAT_WITHIN_MS = 20_000;

/** What takes the store, or the whole broker, away; an owner that is frozen may own any connection. */
const STRIKES_ALL: ReadonlySet<Fault["kind"]> = new Set([
  "freezeWorker",
  "killRedis",
  "freezeRedis",
  "redisLink",
  "freezeBroker",
]);

interface Span {
  readonly from: number;
  /** Infinity while it lasts. */
  readonly until: number;
}

/** Entries are forbidden, and the account is to be empty from its start on where it flattens. */
interface Locked extends Span {
  readonly flattens: boolean;
}

interface Known extends Pick<History, "guarding" | "log">, Pick<BrokerView, "sent"> {
  readonly byId: ReadonlyMap<string, StoredIntent>;
}

/**
 * No entry's write-ahead is after the moment in which the lock was stored, both by Redis' clock, to the
 * millisecond: the one script asks for the lock and writes ahead. What was written ahead before it, or in
 * the same millisecond, may come to the broker however late. Of an adjustment's entry that no look has
 * seen, the write-ahead of its first close is taken, which was earlier.
 */
export function lockedIsNotSent({ guarding, sent, byId }: Known): Finding {
  const { accounts, decisions, writtenAhead } = guarding;
  const guarded = new Set(accounts);
  const entries = sent.filter(({ account, reduces }) => guarded.has(account) && !reduces);
  const violations = entries.flatMap(({ account, clOrdId, intentId = "" }): Violation[] => {
    const at = writtenAhead.get(clOrdId) ?? byId.get(intentId)?.sentAt;
    if (at === undefined) {
      return [{ account, intentIds: [intentId], what: `nobody has written ${clOrdId} ahead` }];
    }
    const locks = locksOf(decisions[account] ?? []);
    const lock = locks.find(({ from, until }) => from < at && at < until);
    if (lock === undefined) return [];
    const what = `${clOrdId} was written ahead ${at - lock.from} ms after its account was locked`;
    return [{ account, intentIds: [intentId], what }];
  });
  return { checked: entries.length, violations };
}

/** From when until when any lock stood, by the history. */
export function locksOf(decisions: readonly StoredDecision[]): readonly Locked[] {
  const found: Locked[] = [];
  let open: Locked | undefined;
  for (const { what, storedAt, ruleId } of decisions) {
    if (what === "locked") {
      const flattens = ruleId !== COUNTS && (open?.flattens ?? true);
      open ??= { from: storedAt, until: Infinity, flattens };
    } else if (what === "unlocked" && open !== undefined) {
      found.push({ ...open, until: storedAt });
      open = undefined;
    }
  }
  return open === undefined ? found : [...found, open];
}

/** The one rule of these runs that closes nothing. */
const COUNTS = "trades";

/** How long a locked account was not empty in one go. */
export interface Full extends Span {
  readonly account: string;
  /** It is what the lock was stored over. */
  readonly isFirst: boolean;
  /** The longest part of it in which its connection stood in the same hands, and nothing failed, ms. */
  readonly calmMs: number;
}

export function fullWhileLocked({
  guarding,
  log,
}: Pick<Known, "guarding" | "log">): readonly Full[] {
  const { accounts, decisions, faults, stood, readAt } = guarding;
  const byAccount = groupBy(log, ({ account }) => account ?? "");
  return accounts.flatMap((account) => {
    const full = spansFull(byAccount.get(account) ?? []);
    const struck = strikesOn(account, faults);
    const own = stood.filter(({ connection }) => connection === connectionOf(account));
    return locksOf(decisions[account] ?? [])
      .filter(({ flattens }) => flattens)
      .flatMap((lock) =>
        full.flatMap((span): Full[] => {
          const from = Math.max(span.from, lock.from);
          const until = Math.min(span.until, lock.until, readAt);
          if (from >= until) return [];
          const isFirst = from === lock.from;
          const calmMs = Math.max(
            0,
            ...own.map((one) => calmest(overlap(one, { from, until }), struck)),
          );
          return [{ account, from, until, isFirst, calmMs }];
        }),
      );
  });
}

/** Whatever fills late, or is on its way as the lock is stored. */
export function lockedIsFlat(known: Known): Finding {
  const all = fullWhileLocked(known);
  const violations = all
    .filter(({ calmMs }) => calmMs > FLAT_WITHIN_MS)
    .map(({ account, from, until, calmMs }): Violation => {
      const what = `locked, and not empty for ${until - from} ms, of which ${calmMs} ms nothing failed`;
      return { account, intentIds: [], at: from, what };
    });
  return { checked: all.length, violations };
}

/** When something was held, or an order rested. */
function spansFull(log: readonly LogEntry[]): readonly Span[] {
  const net = new Map<string, number>();
  const resting = new Set<string>();
  const found: Span[] = [];
  let since: number | undefined;
  for (const entry of log) {
    note(entry, net, resting);
    const isFull = resting.size > 0 || [...net.values()].some((qty) => qty !== 0);
    if (isFull) since ??= entry.at;
    else if (since !== undefined) {
      found.push({ from: since, until: entry.at });
      since = undefined;
    }
  }
  return since === undefined ? found : [...found, { from: since, until: Infinity }];
}

function note(
  { fill, outcome, command, orderId }: LogEntry,
  net: Map<string, number>,
  resting: Set<string>,
): void {
  if (fill !== undefined) {
    const { contract, side, lastQty } = fill;
    net.set(contract, (net.get(contract) ?? 0) + sign(side) * lastQty);
    return;
  }
  if (outcome !== "accepted" || command === undefined) return;
  const done = command as ExchangeCommand;
  if (done.op === "submitOrder" && !endsAtOnce(done.order)) resting.add(orderId ?? "");
  if (done.op === "cancelOrder") resting.delete(done.orderId);
}

/** What met nothing is none; the death of an owner is one of its connections, from then on. */
function strikesOn(account: string, faults: readonly DoneFault[]): readonly Span[] {
  const connection = connectionOf(account);
  const nth = Number(connection.split("-")[1]) - 1;
  return faults.flatMap(({ fault, death, isHit, startedAt, endedAt }): readonly Span[] => {
    if (!isHit) return [];
    if (death !== undefined) {
      return death.connections.includes(connection) ? [{ from: death.at, until: endedAt }] : [];
    }
    const isOnWire = "connection" in fault && fault.connection === nth;
    const isStruck = isOnWire || STRIKES_ALL.has(fault.kind);
    return isStruck ? [{ from: startedAt, until: endedAt }] : [];
  });
}

const connectionOf = (account: string): string => account.replace(/-\d+$/, "");

const overlap = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
});

/** The longest part of a span that lies in none of the others, ms. */
function calmest({ from, until }: Span, struck: readonly Span[]): number {
  let [longest, at] = [0, from];
  for (const one of struck.toSorted((a, b) => a.from - b.from)) {
    longest = Math.max(longest, Math.min(one.from, until) - at);
    at = Math.max(at, Math.min(one.until, until));
  }
  return Math.max(longest, until - at);
}

/**
 * Whatever lock was seen in the store is seen again in each later look until its time is over: itself,
 * or another of the same rule, or by hand, that lasts as long. And none is ended by hand in these runs.
 */
export function locksLast({ guarding: { looks } }: Known): Finding {
  const violations: Violation[] = [];
  let checked = 0;
  for (const [account, own] of groupBy(looks, (look) => look.account)) {
    let standing: readonly GuardLock[] = [];
    for (const { locks, until } of own) {
      const due = standing.filter((lock) => lock.until === undefined || lock.until > until);
      checked += due.length;
      for (const lock of due) {
        if (locks.some((one) => lastsAs(one, lock))) continue;
        const what = `the lock ${lock.id} of ${lock.ruleId ?? "by hand"} is gone before its time`;
        violations.push({ account, intentIds: [], at: until, what });
      }
      standing = locks;
    }
  }
  return { checked, violations };
}

const lastsAs = (one: GuardLock, lock: GuardLock): boolean =>
  one.ruleId === lock.ruleId &&
  (one.until ?? Infinity) >= (lock.until ?? Infinity) &&
  (lock.then === "exitsOnly" || one.then === "flatten");

/** Fills of what guards sent bring a position nearer to flat, and never beyond. */
export function guardsOnlyClose({ log, byId }: Known): Finding {
  const net = new Map<string, number>();
  const violations: Violation[] = [];
  let checked = 0;
  for (const { account = "", fill } of log) {
    if (fill === undefined) continue;
    const key = `${account} ${fill.contract}`;
    const before = net.get(key) ?? 0;
    const after = before + sign(fill.side) * fill.lastQty;
    net.set(key, after);
    const intentId = (fill.clOrdId ?? "").split("-")[0] ?? "";
    if (byId.get(intentId)?.via !== "guard") continue;
    checked += 1;
    const closes = Math.abs(after) < Math.abs(before) && after * before >= 0;
    if (closes) continue;
    const what = `a guard brought ${fill.contract} from ${before} to ${after}`;
    violations.push({ account, intentIds: [intentId], what });
  }
  return { checked, violations };
}

/** Once nothing fails any more each account is judged, by all of its rules that figures decide. */
export function guardsJudge({ guarding: { ends, readAt } }: Known): Finding {
  const violations = Object.entries(ends).flatMap(([account, { judgedAt, levels, isBlind }]) => {
    const unknown = Object.entries(levels).filter(([, level]) =>
      ["unknown", "none"].includes(level),
    );
    const what = [
      ...(judgedAt > 0 ? [] : ["it was never judged"]),
      ...(isBlind ? ["it is blind"] : []),
      ...unknown.map(([id, level]) => `rule ${id} is ${level}`),
    ];
    return what.map((one): Violation => ({ account, intentIds: [], at: readAt, what: one }));
  });
  return { checked: Object.keys(ends).length, violations };
}

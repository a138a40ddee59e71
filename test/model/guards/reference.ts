// What guards promise, said again as plainly as can be and with nothing of the product: every amount a
// bigint, every breached rule with a lock of its own, no thought of speed. It remembers in its own way.
import { big, type Known, known, least, most, plus } from "./amounts.ts";
import type { Grade, Graded, Lock, Percents, Rule, RuleOf, Settings, World } from "./words.ts";

const OLD_MS = 10_000;
const isHeard = ({ now }: World, at: number | undefined): boolean =>
  at !== undefined && now - at <= OLD_MS;
const closed = ({ days }: World, from: string, to: string): bigint =>
  days
    .filter(({ day }) => day >= from && day <= to)
    .reduce((sum, { net }) => sum + BigInt(net), 0n);
const today = (world: World): bigint => closed(world, world.tradingDay, world.tradingDay);
const isWhole = ({ broker }: World): boolean => broker !== undefined && !broker.mayLackFills;
/**
 * The broker's word while it is new, or no fill has followed it; beside an open position only the closed
 * part lasts. Limits do not age.
 */
function word(world: World): { closed?: Known; open?: Known; worth?: Known } {
  const { broker, isOpen, doubt } = world;
  const isNew = isHeard(world, broker?.at);
  if (broker === undefined || doubt !== undefined || !(isNew || isWhole(world))) return {};
  const closed = big(broker.closed);
  return isNew || !isOpen
    ? { closed, open: big(broker.open), worth: big(broker.worth) }
    : { closed };
}
const atStops = (world: World): Known => (world.isOpen ? big(world.atStops) : undefined);

/** What is open has won or lost, by our own prices. */
function ownOpen(world: World): Known {
  if (!world.isOpen) return 0n;
  return isHeard(world, world.pricedAt) ? big(world.open) : undefined;
}

/** All of it is said; or a part is, and the other one is ours where that makes it no graver. */
function brokersDay({ kind }: RuleOf<"loss" | "profit">, world: World): Known {
  const { closed, open } = word(world);
  const flat = isWhole(world) && !world.isOpen ? 0n : undefined;
  if (closed !== undefined && (open ?? flat) !== undefined) return plus(closed, open ?? flat);
  if (!isWhole(world)) return undefined;
  const mild = (ours: bigint) => (kind === "loss" ? most(0n, ours) : least(0n, ours));
  const ours = ownOpen(world);
  if (ours === undefined) return closed === undefined ? plus(open, today(world)) : undefined;
  return closed === undefined ? plus(open, mild(today(world))) : plus(closed, mild(ours));
}

function grade(used: bigint, limit: bigint, by: Percents, stopped?: Known): Grade {
  const is = (percent: number, of: bigint) => of * 100n >= limit * BigInt(percent);
  const fires = 100 - by.bufferPercent;
  if (is(fires, used)) return "breach";
  // A stop that would breach the rule if it were hit keeps entries out as well.
  if (is(by.entriesOffPercent, used) || (stopped !== undefined && is(fires, stopped))) {
    return "entriesOff";
  }
  return is(by.warnPercent, used) ? "warn" : "ok";
}

function pnl(rule: RuleOf<"loss" | "profit">, world: World, by: Percents): Graded {
  const isDay = rule.period === "day";
  const began = isDay ? world.tradingDay : world.weekBegan;
  if (world.doubt !== undefined || world.daysSince > began) return { level: "unknown" };
  const all = closed(world, began, world.tradingDay);
  const isOpen = rule.counts === "open";
  const own = plus(all, isOpen ? ownOpen(world) : 0n);
  const theirs = plus(all - today(world), isOpen ? brokersDay(rule, world) : word(world).closed);
  const [first, second = first] = known([own, theirs]);
  if (first === undefined) return { level: "unknown" };
  if (rule.kind === "profit") {
    // What is won has no buffer, and keeps no entry out before it is reached.
    const figure = most(first, second);
    const limit = BigInt(rule.limit);
    const level = grade(figure, limit, { ...by, bufferPercent: 0, entriesOffPercent: 100 });
    return { level, figure, room: limit - figure };
  }
  const figure = least(first, second);
  const told = isDay ? world.broker?.dailyLoss : world.broker?.weeklyLoss;
  const limit = least(BigInt(rule.limit), big(told));
  const stopped = plus(all, atStops(world));
  const lost = stopped === undefined ? undefined : -stopped;
  return {
    level: grade(-figure, limit, by, lost),
    figure,
    room: limit + least(figure, stopped),
  };
}

export function createReference() {
  let day = "";
  /** With which the day began. */
  let balance: Known;
  const peaks = new Map<string, bigint>();
  const won = new Map<string, { readonly total: bigint; readonly best: bigint }>();
  let hand: Lock[] = [];
  const locks = new Map<string, Lock>();
  const waived = new Map<string, number>();

  const own = (world: World): Known => plus(balance, today(world), ownOpen(world));
  const theirs = (world: World): Known => word(world).worth;
  function worst(world: World): Known {
    const [first, second] = known([own(world), theirs(world)]);
    return first === undefined ? undefined : least(first, second);
  }

  /** Each day that has ended since the look before, in its order. */
  function roll(world: World, rules: readonly Rule[]): void {
    if (day !== "" && world.daysSince > day && world.tradingDay > day) balance = undefined;
    const days = [...new Set([day, ...world.days.map((each) => each.day)])].toSorted();
    const ended = days.filter((one) => day !== "" && one >= day && one < world.tradingDay);
    for (const each of world.daysSince > day ? [] : ended) {
      const net = closed(world, each, each);
      balance = plus(balance, net);
      for (const rule of rules) {
        if (rule.kind === "drawdown") raise(rule, balance);
        const { total, best } = won.get(rule.id) ?? {};
        if (total !== undefined) won.set(rule.id, { total: total + net, best: most(net, best) });
      }
    }
    day = world.tradingDay;
    if (balance === undefined && isHeard(world, world.broker?.at)) {
      const said = word(world);
      const open = said.open ?? ownOpen(world);
      const brought = plus(said.closed ?? today(world), open);
      balance = brought === undefined ? undefined : plus(said.worth, -brought);
    }
  }

  function raise({ id, start, peak }: RuleOf<"drawdown">, to: Known): bigint {
    const raised = most(BigInt(start), big(peak), peaks.get(id), to);
    peaks.set(id, raised);
    return raised;
  }

  function drawdown(rule: RuleOf<"drawdown">, world: World, by: Percents): Graded {
    raise(rule, balance);
    if (world.doubt !== undefined) return { level: "unknown" };
    const worth = worst(world);
    const peak = raise(rule, rule.trails === "live" ? (own(world) ?? theirs(world)) : undefined);
    const size = BigInt(rule.size);
    const limit = most(least(peak - size, big(rule.locksAt)), big(world.broker?.floor));
    if (worth === undefined) return { level: "unknown" };
    const stopped = plus(balance, today(world), atStops(world));
    const usedUp = stopped === undefined ? undefined : size - (stopped - limit);
    const level = grade(size - (worth - limit), size, by, usedUp);
    return { level, figure: worth, limit, room: least(worth, stopped) - limit };
  }

  function lots({ max, weights, ladder }: RuleOf<"lots">, world: World): Graded {
    const held = [...world.held].reduce(
      (sum, [root, qty]) => sum + BigInt(Math.abs(qty)) * BigInt(weights[root] ?? 1000),
      0n,
    );
    const now = ladder?.counts === "live" ? worst(world) : balance;
    const worth = world.doubt === undefined ? now : undefined;
    const step = ladder?.steps.findLast(
      ({ above }) => worth !== undefined && worth > BigInt(ladder.start) + BigInt(above),
    );
    const limit = BigInt(step?.max ?? max);
    return { level: held >= limit ? "warn" : "ok", figure: held, limit, room: limit - held };
  }

  function judged(rule: Rule, world: World, by: Percents): Graded {
    if (rule.kind === "drawdown") return drawdown(rule, world, by);
    if (rule.kind === "lots") return lots(rule, world);
    if (rule.kind === "count") {
      const is = (percent: number) => world[rule.of] * 100 >= rule.max * percent;
      if (world.doubt !== undefined) return { level: "unknown" };
      return { level: is(100) ? "breach" : is(by.warnPercent) ? "warn" : "ok" };
    }
    if (rule.kind !== "consistency") return pnl(rule, world, by);
    const { total, best } = won.get(rule.id) ?? { total: 0n, best: 0n };
    won.set(rule.id, { total, best });
    const all = total + today(world);
    const isOver = most(best, today(world)) * 100n > all * BigInt(rule.percent);
    return { level: all > 0n && isOver ? "warn" : "ok" };
  }

  return {
    look(seen: World, by: Settings) {
      const { now } = seen;
      const world = seen.tradingDay < day ? { ...seen, doubt: "the clock went back" } : seen;
      for (const map of [peaks, won, waived]) {
        for (const id of map.keys()) if (!by.rules.some((rule) => rule.id === id)) map.delete(id);
      }
      if (world.doubt === undefined || day === "") roll(world, by.rules);
      const found = new Map(by.rules.map((rule) => [rule.id, judged(rule, world, by)]));
      const levels = new Map<string, Grade>();
      for (const { id, mode } of by.rules) {
        if (now >= (waived.get(id) ?? 0)) waived.delete(id);
        const level = found.get(id)?.level;
        if (mode === "on" && !waived.has(id) && level !== undefined) levels.set(id, level);
      }
      for (const rule of by.rules.filter(({ id }) => levels.get(id) === "breach")) {
        const isWeek = "period" in rule && rule.period === "week";
        const until = isWeek ? world.weekEndsAt : world.dayEndsAt;
        const then = "then" in rule ? rule.then : "exitsOnly";
        const before = locks.get(rule.id);
        const lasts = before !== undefined && now < before.until ? before : undefined;
        locks.set(rule.id, {
          until: Math.max(until, lasts?.until ?? 0),
          lock: lasts?.lock === "hard" ? "hard" : rule.lock,
          then: lasts?.then === "flatten" ? "flatten" : then,
        });
      }
      for (const [id, { until }] of locks) {
        if (now >= until && levels.get(id) !== "unknown") locks.delete(id);
      }
      hand = hand.filter(({ until }) => now < until);
      const stand = [...hand, ...locks.values()];
      const stops = [...levels.values()].some((each) => each !== "ok" && each !== "warn");
      const off = new Set(waived.keys());
      return { found, off, stand, locks: new Map(locks), refused: stops || stand.length > 0 };
    },
    /** Somebody asks for a hard lock. */
    lock: (lock: Lock) => hand.push(lock),
    /** A person ends the soft lock of a rule: if that is set, it stops nothing until that was to end. */
    end(id: string, isSet: boolean): void {
      if (isSet) waived.set(id, locks.get(id)?.until ?? 0);
      locks.delete(id);
    },
  };
}

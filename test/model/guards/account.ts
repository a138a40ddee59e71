// An account as it goes through time: what it closed and holds, its prices, its broker, the clock.
import {
  addDays,
  type CivilDay,
  isoDate,
  weekdayOf,
} from "../../../src/domain/calendar/civil-day.ts";
import { accountDayAt, STANDARD_CLOCKS } from "../../../src/domain/calendar/account-day.ts";
import type { GuardFacts } from "../../../src/domain/guards/guard-facts.ts";
import { type Minor, minor } from "../../../src/domain/money.ts";

const tradingDayAt = (at: number) => accountDayAt(STANDARD_CLOCKS, at);

const SECOND = 1_000;
const DAY = 86_400_000;
/** What the account began with, before `scale`. */
export const BEGAN_WITH = 50_000;

/** What happens to it. Amounts are small; the account multiplies them by its scale. */
export type Happening =
  | { readonly is: "closed"; readonly net: number; readonly trades: number }
  | {
      readonly is: "price";
      readonly open: number | undefined;
      readonly toStop: number | undefined;
      readonly age: number;
    }
  | { readonly is: "flat" }
  | { readonly is: "held"; readonly root: string; readonly qty: number }
  | { readonly is: "passed"; readonly seconds: number }
  | { readonly is: "dayEnd"; readonly off: -1 | 0 | 1 }
  | { readonly is: "days"; readonly count: number }
  | {
      readonly is: "broker";
      readonly age: number;
      readonly tells: readonly ("closed" | "open" | "worth")[];
      readonly off: number;
      readonly paidIn: number;
      readonly dailyLoss: number | undefined;
      readonly weeklyLoss: number | undefined;
      readonly floor: number | undefined;
    }
  | { readonly is: "silent" }
  | { readonly is: "doubt"; readonly isOn: boolean }
  | { readonly is: "history"; readonly isLost: boolean };

interface Standing {
  now: number;
  isOpen: boolean;
  open: Minor | undefined;
  atStops: Minor | undefined;
  pricedAt: number | undefined;
  broker: GuardFacts["broker"];
  isDoubted: boolean;
  daysSince: string;
  trades: number;
  executions: number;
  lossesInRow: number;
  filledAt: number;
}

/** A fill takes so long, at most, to be in the broker's figures. */
const FILL_TAKES_MS = 10_000;

export function createAccount(beganAt: number, scale: number) {
  const nets = new Map<string, number>();
  const held = new Map<string, number>();
  const at: Standing = {
    now: beganAt,
    isOpen: false,
    open: minor(0),
    atStops: undefined,
    pricedAt: undefined,
    broker: undefined,
    isDoubted: false,
    daysSince: "2000-01-01",
    trades: 0,
    executions: 0,
    lossesInRow: 0,
    filledAt: 0,
  };
  const times = (amount: number): Minor => minor(amount * scale);
  const scaled = (amount: number | undefined) => (amount === undefined ? undefined : times(amount));
  const today = () => isoDate(tradingDayAt(at.now).day);

  function pass(to: number): void {
    const before = today();
    at.now = to;
    // What a broker says is of one trading day, and what is counted starts anew with each.
    if (today() !== before) {
      Object.assign(at, { broker: undefined, trades: 0, executions: 0, lossesInRow: 0 });
    }
  }

  function goFlat(): void {
    held.clear();
    if (at.isOpen) at.filledAt = at.now;
    Object.assign(at, { isOpen: false, open: minor(0), atStops: undefined, pricedAt: undefined });
  }

  function tell(broker: Happening & { readonly is: "broker" }): void {
    const closed = (nets.get(today()) ?? 0) + broker.off * scale;
    const worth = [...nets.values()].reduce((sum, net) => sum + net, BEGAN_WITH * scale);
    const says = {
      closed,
      open: at.open ?? 0,
      worth: worth + (at.open ?? 0) + (broker.off + broker.paidIn) * scale,
    };
    const told = broker.tells.map((what) => [what, minor(says[what])]);
    const limits = {
      dailyLoss: scaled(broker.dailyLoss),
      weeklyLoss: scaled(broker.weeklyLoss),
      floor: scaled(broker.floor),
    };
    at.broker = {
      at: at.now - broker.age,
      ...Object.fromEntries(told),
      ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
    };
  }

  return {
    happens(what: Happening): void {
      switch (what.is) {
        case "closed": {
          nets.set(today(), (nets.get(today()) ?? 0) + what.net * scale);
          at.filledAt = at.now;
          at.executions += 1;
          at.trades += what.trades;
          at.lossesInRow = what.net < 0 ? at.lossesInRow + 1 : 0;
          return;
        }
        case "price": {
          const open = scaled(what.open);
          const atStops = what.toStop === undefined ? undefined : times(what.toStop);
          const pricedAt = open === undefined ? undefined : at.now - what.age;
          if (!at.isOpen) at.filledAt = at.now;
          Object.assign(at, { isOpen: true, open, atStops, pricedAt });
          return;
        }
        case "flat":
          return goFlat();
        case "held":
          held.set(what.root, what.qty);
          return;
        case "passed":
          return pass(at.now + what.seconds * SECOND);
        case "dayEnd":
          return pass(tradingDayAt(at.now).endsAt + what.off);
        case "days":
          return pass(at.now + what.count * DAY);
        case "broker":
          return tell(what);
        case "silent":
          at.broker = undefined;
          return;
        case "doubt":
          at.isDoubted = what.isOn;
          return;
        case "history":
          at.daysSince = what.isLost ? today() : "2000-01-01";
      }
    },
    facts(): GuardFacts {
      const { day, endsAt } = tradingDayAt(at.now);
      const { isDoubted, broker, filledAt, ...known } = at;
      const mayLackFills = broker !== undefined && broker.at < filledAt + FILL_TAKES_MS;
      return {
        ...known,
        tradingDay: isoDate(day),
        dayEndsAt: endsAt,
        ...weekOf(day, endsAt),
        days: [...nets]
          .map(([each, net]) => ({ day: each, net: minor(net) }))
          .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
        ...(broker !== undefined && {
          broker: { ...broker, ...(mayLackFills && { mayLackFills }) },
        }),
        ...(isDoubted && { doubt: "its fills have not been read" }),
        held: new Map(held),
        others: new Map(),
      };
    },
  };
}

/** From its Monday to the end of its Sunday. */
function weekOf(day: CivilDay, dayEndsAt: number) {
  const monday = addDays(day, 1 - weekdayOf(day));
  let weekEndsAt = dayEndsAt;
  for (;;) {
    const next = tradingDayAt(weekEndsAt);
    if (next.day >= addDays(monday, 7)) return { weekBegan: isoDate(monday), weekEndsAt };
    weekEndsAt = next.endsAt;
  }
}

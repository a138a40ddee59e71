import { firstInstantOf, toLocal } from "../calendar/local-time.ts";
import { isAtLeast } from "../severity.ts";
import type { Destination, QuietHours, Rule } from "./destination.ts";
import { declaredEvent, type GatewayEvent } from "./event.ts";

/** When an event is told at a destination, Unix ms, and how. */
export interface Route {
  readonly dueAt: number;
  readonly isSilent: boolean;
  /** Equal events have the same; absent: it is told by itself. */
  readonly foldKey?: string;
}

type Routed = Pick<Destination, "kind" | "rules" | "quietHours">;

/** Undefined where the destination is not told of it. */
export function routeOf(
  { kind, rules, quietHours }: Routed,
  event: GatewayEvent,
  now: number,
): Route | undefined {
  if ((event.type === "gateway.alive") !== (kind === "heartbeat")) return undefined;
  if (kind === "heartbeat") return { dueAt: now, isSilent: true };
  const tell = rules.find((rule) => fits(rule, event))?.tell ?? tellByItself(event);
  if (tell === "off") return undefined;
  const isHeld = event.severity !== "critical" && quietHours !== undefined;
  const isToBeFolded = declaredEvent(event.type).folds === true && kind !== "webhook";
  return {
    dueAt: isHeld ? endOfQuiet(quietHours, now) : now,
    isSilent: tell === "silent",
    ...(isToBeFolded && { foldKey: foldKeyOf(event) }),
  };
}

/** What is critical is never kept back by a rule that does not say of which accounts. */
function fits(
  { types, severity, accounts, environment, tell }: Rule,
  event: GatewayEvent,
): boolean {
  const isScoped = accounts !== undefined || environment !== undefined;
  if (event.severity === "critical" && tell !== "on" && !isScoped) return false;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (severity !== undefined && !isAtLeast(event.severity, severity)) return false;
  if (environment !== undefined && event.environment !== environment) return false;
  if (accounts === undefined) return true;
  return event.accountId !== undefined && accounts.includes(event.accountId);
}

const tellByItself = ({ type, severity }: GatewayEvent): Rule["tell"] =>
  isAtLeast(severity, "warning") || declaredEvent(type).isWanted === true ? "on" : "off";

/**
 * Of one account, for one reason, and of one order as it was asked for. Of a guard for one rule: its
 * reason has figures, which are others each time.
 */
function foldKeyOf({ type, accountId, facts }: GatewayEvent): string {
  if ("ruleId" in facts) return JSON.stringify([type, accountId, facts.ruleId, facts.would]);
  const told = facts as Partial<Record<"code" | "reason" | "symbol" | "action" | "qty", unknown>>;
  const { code, reason, symbol, action, qty } = told;
  return JSON.stringify([type, accountId, code, reason, symbol, action, qty]);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** `now` itself outside of quiet hours. */
export function endOfQuiet({ from, to, zone }: QuietHours, now: number): number {
  const local = toLocal(zone, now);
  const [begin, end, time] = [timeOfDay(from), timeOfDay(to), local % DAY_MS];
  const isQuiet = begin < end ? time >= begin && time < end : time >= begin || time < end;
  if (!isQuiet || begin === end) return now;
  const midnight = local - time;
  const over = firstInstantOf(zone, midnight + end + (time >= end ? DAY_MS : 0));
  // On a night with a change of the clocks, their end may be shown before it, too.
  return over > now ? over : over + CLOCK_CHANGE_MS;
}

/** By as much as clocks are set on or back. */
const CLOCK_CHANGE_MS = 60 * MINUTE_MS;

/** Of `HH:MM`, ms since midnight. */
export function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** When it was that time of day last by the clocks of a zone, and which date (ISO) they showed then. */
export function lastDue(
  { at, zone }: { readonly at: string; readonly zone: string },
  now: number,
): { readonly date: string; readonly dueAt: number } {
  const local = toLocal(zone, now);
  const today = local - (local % DAY_MS) + timeOfDay(at);
  // Compared as instants: clocks that were set back show a time before that once more.
  const due = firstInstantOf(zone, today) <= now ? today : today - DAY_MS;
  return { date: new Date(due).toISOString().slice(0, 10), dueAt: firstInstantOf(zone, due) };
}

import { lines, stat } from "./panels.ts";
import { of, perMinute, quantiles } from "./query.ts";

/** What keeps accounts within their limits, and whether it can. */
export const guardPanels = () => [...guardStats(), ...guardLines()];

const accounts = (metric: string) => `sum(${of(metric)})`;

const guardStats = () => [
  stat({
    title: "Accounts with guards",
    description: "Accounts whose guards are judged, by whichever process owns their connection",
    unit: "short",
    expr: accounts("gateway_guarded_accounts"),
  }),
  stat({
    title: "Locked accounts",
    description: "Accounts that take no entries, because a guard or a person has locked them",
    unit: "short",
    expr: accounts("gateway_locked_accounts"),
    redFrom: 1,
  }),
  stat({
    title: "Blind guards",
    description: "Accounts that hold something while their guards have no figures, or old ones",
    unit: "short",
    expr: accounts("gateway_guard_blind_accounts"),
    redFrom: 1,
  }),
  stat({
    title: "Not closed in time",
    description: "Accounts that a guard closes and that are not flat and empty after 10 s",
    unit: "short",
    expr: accounts("gateway_guard_not_flat_accounts"),
    redFrom: 1,
  }),
  stat({
    title: "Guards not judged",
    description: "Accounts whose guards nobody could judge for 10 s: no entry passes",
    unit: "short",
    expr: accounts("gateway_guards_unjudged_accounts"),
    redFrom: 1,
  }),
  stat({
    title: "Calendars expired",
    description: "Calendars without events to come, once for each account that waits for them",
    unit: "short",
    expr: accounts("gateway_guard_calendars_expired"),
    redFrom: 1,
  }),
];

const guardLines = () => [
  lines({
    title: "Room that is left",
    description:
      "Of the account that is nearest to its limit, by the kind of rule: the share of the limit that is left",
    unit: "percentunit",
    queries: [{ expr: `min by (rule) (${of("gateway_guard_room_ratio")})`, legend: "{{rule}}" }],
  }),
  lines({
    title: "Decisions of guards, per minute",
    description: "What guards have decided; what begins with would is of rules in shadow mode",
    unit: "short",
    queries: [{ expr: perMinute("gateway_guard_decisions_total", "what"), legend: "{{what}}" }],
  }),
  lines({
    title: "From the lock to flat",
    description: "Time from an account's lock until it was flat and nothing rested any more",
    unit: "s",
    queries: quantiles("gateway_guard_flatten_seconds"),
  }),
  lines({
    title: "Judging one account",
    description: "Time that one look at an account's guards takes, with what is read for it",
    unit: "s",
    queries: quantiles("gateway_guard_judge_seconds"),
  }),
];

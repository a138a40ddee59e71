import { dashboard } from "./dashboard.ts";
import { distribution, lines, stat } from "./panels.ts";
import { of, perMinute, quantiles } from "./query.ts";

/** Whether followers hold what they are to hold, and how soon and how well they get there. */
export const copyTrading = () =>
  dashboard({
    uid: "gateway-copy-trading",
    title: "Gateway: copy trading",
    description: "Whether followers hold what they are to, and how soon and how well they do.",
    sections: [
      { title: "Followers", panels: [...followerStats(), ...followerPanels()] },
      { title: "Copies", panels: copyPanels() },
      { title: "Time and price", panels: pricePanels() },
    ],
  });

/** Nobody meant these: a follower's side refused them, or nothing of them came to be. */
const FAILED = 'outcome=~"rejected|unprotected|notSent|unknown|lost"';
const NOT_COPIED =
  'outcome=~"denied|rejected|unprotected|notSent|expired|overtaken|unknown|lost|skipped"';

const followersThatAre = (state: string) =>
  `sum(${of("gateway_copy_followers", `state="${state}"`)})`;

const copiesInRange = (condition: string) =>
  `sum(increase(${of("gateway_copies_total", condition)}[$__range]))`;

const followerStats = () => [
  stat({
    title: "Drifted contracts",
    description: "By how many contracts followers are away from what they are to hold",
    unit: "short",
    expr: `sum(${of("gateway_copy_drift_contracts")})`,
    redFrom: 1,
  }),
  stat({
    title: "Stopped followers",
    description: "A guard has stopped them: only exits are copied until a person resumes them",
    unit: "short",
    expr: followersThatAre("stopped"),
    redFrom: 1,
  }),
  stat({
    title: "Offline followers",
    description: "Their connection or their leader's is down: nobody can compare the two",
    unit: "short",
    expr: followersThatAre("offline"),
    redFrom: 1,
  }),
  stat({
    title: "Following",
    description: "Followers that hold what they are to hold",
    unit: "short",
    expr: followersThatAre("following"),
  }),
  stat({
    title: "Failed copies",
    description: "The follower's broker refused them or never had them, in the time shown",
    unit: "short",
    expr: copiesInRange(FAILED),
    redFrom: 0.5,
  }),
  stat({
    title: "Skipped copies",
    description: "Nothing was to be sent, in the time shown; the copy log says why",
    unit: "short",
    expr: copiesInRange('outcome="skipped"'),
  }),
];

const followerPanels = () => [
  lines({
    title: "Followers by state",
    description: "How followers stand; one that is stopped and has drifted counts as drifted",
    unit: "short",
    queries: [{ expr: `sum by (state) (${of("gateway_copy_followers")})`, legend: "{{state}}" }],
  }),
  lines({
    title: "Drifted contracts over time",
    description: "By how many contracts followers were away, by the process that owns the leader",
    unit: "short",
    queries: [
      {
        expr: `sum by (instance) (${of("gateway_copy_drift_contracts")})`,
        legend: "{{instance}}",
      },
    ],
  }),
  lines({
    title: "Drifts and stops, per minute",
    description: "Followers found away from what they are to hold, and those a guard has stopped",
    unit: "short",
    width: 24,
    queries: [
      { expr: perMinute("gateway_copy_drifts_total"), legend: "drifts" },
      { expr: perMinute("gateway_copy_stops_total"), legend: "stops" },
    ],
  }),
];

const copyPanels = () => [
  lines({
    title: "Copies by outcome, per minute",
    description: "How copies ended; denied is ours, rejected is the broker's",
    unit: "short",
    queries: [{ expr: perMinute("gateway_copies_total", "outcome"), legend: "{{outcome}}" }],
  }),
  lines({
    title: "Copies by cause, per minute",
    description: "The leader's fills and orders, drift that was put right, and syncs",
    unit: "short",
    queries: [{ expr: perMinute("gateway_copies_total", "cause"), legend: "{{cause}}" }],
  }),
  lines({
    title: "Refused and skipped copies, per minute",
    description: "What was not carried out; expired is also what a newer copy stands for",
    unit: "short",
    width: 24,
    queries: [
      {
        expr: `60 * sum by (cause, outcome) (rate(${of("gateway_copies_total", NOT_COPIED)}[$__rate_interval]))`,
        legend: "{{cause}} {{outcome}}",
      },
    ],
  }),
];

const pricePanels = () => [
  lines({
    title: "From the leader's fill to sent",
    description: "From the fill, by its broker's clock, until the follower's order was sent",
    unit: "s",
    queries: quantiles("gateway_copy_sent_seconds"),
  }),
  lines({
    title: "Slippage in ticks",
    description:
      "How much worse than the leader followers traded; below 0 is better. Estimated between the histogram's bounds",
    unit: "short",
    signed: true,
    queries: quantiles("gateway_copy_slippage_ticks"),
  }),
  distribution({
    title: "Slippage, how often how much",
    description: "Copies by ticks worse than the leader; each row reaches up to its bound",
    unit: "short",
    expr: `sum by (le) (increase(${of("gateway_copy_slippage_ticks_bucket")}[$__rate_interval]))`,
  }),
];

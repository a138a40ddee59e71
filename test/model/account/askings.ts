import { ticks } from "../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../src/domain/exits/exit-plan.ts";
import type { Intent } from "../../../src/domain/intent.ts";
import type { Bracket, OrderReport } from "../../../src/domain/order.ts";
import type { PreparedTerms } from "../../../src/domain/order-ticket.ts";
import { ES } from "../../unit/trading/lane-kit.ts";
import { at } from "../../unit/trading/lane/exits/exits-kit.ts";
import type { AskedFor } from "../lane/history.ts";
import { askingOf as laneAskingOf } from "../lane/askings.ts";
import type { PLANS, Step, StepOf } from "./steps.ts";

/** A request to the account's lane. */
export interface Asking {
  readonly what: AskedFor;
  readonly intent: Intent;
  readonly isCopy?: true;
}

/** The account as the person who asks sees it. */
export interface Sight {
  readonly bid: number;
  readonly held: number;
  readonly legs: readonly OrderReport[];
}

/** Seconds after the first fill. */
const CLOSE_AFTER = 20;

const EXIT_PLANS: Readonly<Record<(typeof PLANS)[number], ExitPlan>> = {
  timed: { targets: [], stop: at(20), closeAfterSeconds: CLOSE_AFTER },
  twoTargets: { targets: [{ at: at(6) }, { at: at(14) }], stop: at(12) },
  trailing: {
    targets: [],
    stop: at(12),
    trailing: { distance: at(8), step: ticks(1) },
  },
};

/** The parts of one message, in order; none if the step makes no sense now. */
export function askingsOf(step: Step, sight: Sight): readonly Asking[] {
  switch (step.do) {
    case "planned":
      return [planned(step, sight)];
    case "timed":
      return timed(step, sight);
    case "reduce":
      return [{ what: "part", intent: adjust({ to: "close", qty: step.qty }) }];
    case "reverse":
      return [
        {
          what: "entry",
          intent: adjust({ to: "reverse" }, { ...MARKET, ...stopOf(step.stopLoss) }),
        },
      ];
    case "into":
      return [into(step)];
    case "closeThenEnter":
      return [
        { what: "exit", intent: { kind: "FLATTEN", root: "ES", cancelResting: true } },
        place(step.side, step.qty, { ...MARKET, ...stopOf(step.stopLoss) }),
      ];
    case "copy":
      return [
        { what: "target", intent: adjust({ to: "position", netQty: step.netQty }), isCopy: true },
      ];
    case "cancelLeg": {
      const leg = sight.legs.find(({ role }) => role === step.role);
      const cancel = leg && ({ kind: "CANCEL", orderId: leg.orderId } as const);
      return cancel === undefined ? [] : [{ what: "protection", intent: cancel }];
    }
    case "lock":
      return step.isOn ? [{ what: "cancelEntries", intent: { kind: "CANCEL_ENTRIES" } }] : [];
    case "byHand":
    case "reports":
    case "refuses":
    case "closes":
    case "silent":
    case "meanwhile":
    case "market":
    case "trouble":
    case "restart":
    case "wait":
      return [];
    case "enter":
    case "target":
    case "exit":
    case "out":
    case "plainExit":
    case "cancelEntries":
    case "protect":
    case "switch": {
      const asking = laneAskingOf(step, { bid: () => sight.bid, held: () => sight.held });
      return asking === undefined ? [] : [{ what: asking.what, intent: asking.intent }];
    }
  }
}

function planned({ side, qty, away, plan }: StepOf<"planned">, { bid }: Sight): Asking {
  const terms = away === undefined ? MARKET : limitAt(side, bid, away);
  return place(side, qty, terms, { exitPlan: EXIT_PLANS[plan] });
}

function timed(step: StepOf<"timed">, { bid, held }: Sight): readonly Asking[] {
  const { what, away, seconds, then } = step;
  if (what === "exit" && held === 0) return [];
  const side = what === "entry" ? step.side : held > 0 ? "SELL" : "BUY";
  const qty = what === "entry" ? step.qty : Math.abs(held);
  const timeout = { afterSeconds: seconds, then };
  const asking = place(side, qty, limitAt(side, bid, away), { timeout });
  return [what === "entry" ? asking : { ...asking, what: "plainExit" }];
}

function into({ side, qty, whenHeld, stopLoss }: StepOf<"into">): Asking {
  const aim = { to: "enter", side, qty, whenHeld, whenOpposite: "close" } as const;
  return { what: "entry", intent: adjust(aim, { ...MARKET, ...stopOf(stopLoss) }) };
}

type PlaceIntent = Extract<Intent, { readonly kind: "PLACE" }>;
type AdjustIntent = Extract<Intent, { readonly kind: "ADJUST" }>;

const MARKET: PreparedTerms = { ordType: "MARKET", timeInForce: "DAY" };

const limitAt = (side: "BUY" | "SELL", bid: number, away: number): PreparedTerms => ({
  ordType: "LIMIT",
  timeInForce: "GTC",
  price: ticks(side === "BUY" ? bid - away : bid + 1 + away),
});

const stopOf = (distance: number | undefined): { readonly bracket?: Bracket } =>
  distance === undefined
    ? {}
    : { bracket: { stopLoss: { by: "distance", distance: ticks(distance) } } };

const place = (
  side: "BUY" | "SELL",
  orderQty: number,
  terms: PreparedTerms,
  handling?: NonNullable<PlaceIntent["handling"]>,
): Asking => ({
  what: "entry",
  intent: {
    kind: "PLACE",
    order: { ...terms, contract: ES, side, orderQty },
    isFrontMonth: true,
    ...(handling !== undefined && { handling }),
  },
});

const adjust = (aim: AdjustIntent["aim"], terms: PreparedTerms = MARKET): AdjustIntent => ({
  kind: "ADJUST",
  contract: ES,
  isFrontMonth: true,
  aim,
  terms,
});

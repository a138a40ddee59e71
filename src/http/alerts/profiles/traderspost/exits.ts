import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import type { PlanLevelTicket } from "../../../../domain/exits/exit-plan.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { isObject } from "../../written-values.ts";
import type { SaidExits } from "../../exit-terms.ts";

export const LEGS = ["takeProfit", "stopLoss"] as const;
type Leg = (typeof LEGS)[number];

const STOP_TYPES = ["stop", "stop_limit", "trailing_stop"] as const;
const PRICE_OF = { takeProfit: "limitPrice", stopLoss: "stopPrice" } as const;
const LEVELS = {
  takeProfit: [PRICE_OF.takeProfit, "amount", "percent"],
  stopLoss: [PRICE_OF.stopLoss, "amount", "percent"],
} as const;
const TRAILS = ["trailAmount", "trailPercent"] as const;
const OF_MONEY =
  "is not done: the service does not say whether it is of one contract or of all: write amount, a distance in price, or";

/** What a leg may ask for and we cannot do: a leg that did less would not be the one asked for. */
export const REFUSED_IN: Readonly<Record<Leg, Readonly<Record<string, string>>>> = {
  takeProfit: {
    pnlAmount: `${OF_MONEY} limitPrice`,
    value: "is not a known field: write limitPrice",
    price: "is not a known field: write limitPrice",
  },
  stopLoss: {
    pnlAmount: `${OF_MONEY} stopPrice`,
    value: "is not a known field: write stopPrice",
    price: "is not a known field: write stopPrice",
    limitPrice: "is not done: a stop-loss goes at the market",
    trailPrice: "is not done: write trailAmount, a distance in price, or trailPercent",
  },
};

/**
 * The service counts `amount` and `percent` from the limit or from its quote, and the fill is near
 * both; here they count from the fill, so that the distance is the one asked for.
 */
export const readExits = (fields: AlertFields): SaidExits => ({
  ...readTakeProfit(fields),
  ...readStopLoss(fields),
});

export function refuseLegs(fields: AlertFields): void {
  for (const name of LEGS) {
    fields.refuse(
      name,
      'belongs to an entry: to move exits send a native alert, "action": "protect"',
    );
  }
}

const oneOf = (name: Leg): string =>
  `must be an object with exactly one of ${PRICE_OF[name]}, amount and percent`;

function legOf(fields: AlertFields, name: Leg): AlertFields | undefined {
  const leg = isObject(fields.value(name)) ? fields.strictObject(name) : undefined;
  if (leg === undefined) fields.refuse(name, oneOf(name));
  for (const [undone, why] of Object.entries(REFUSED_IN[name])) leg?.refuse(undone, why);
  return leg;
}

function readTakeProfit(fields: AlertFields): Pick<SaidExits, "target"> {
  const before = fields.problems.length;
  const leg = legOf(fields, "takeProfit");
  if (leg === undefined) return {};
  leg.choice("type", ["limit"]);
  const [target, ...others] = levelsIn(leg, "takeProfit");
  // What is wrong with a level itself is named already.
  if (fields.problems.length > before) return {};
  if (target !== undefined && others.length === 0) return { target };
  if (target === undefined && leg.refuseBlank(LEVELS.takeProfit, "takeProfit")) return {};
  fields.problem("takeProfit", oneOf("takeProfit"));
  return {};
}

/**
 * A stop-loss without a type is of the subscription's, which is a plain stop unless changed. One that
 * trails does so from the entry on, and one that is given a level beside stands there first.
 */
function readStopLoss(fields: AlertFields): Pick<SaidExits, "stop" | "trailing"> {
  const before = fields.problems.length;
  const leg = legOf(fields, "stopLoss");
  if (leg === undefined) return {};
  const type = leg.choice("type", STOP_TYPES) ?? "stop";
  const trails = type === "trailing_stop";
  if (type === "stop_limit") leg.problem("type", "is not done: write stop, which surely gets out");
  const [stop, ...others] = levelsIn(leg, "stopLoss");
  const [distance, ...more] = distancesIn(leg, trails);
  if (fields.problems.length > before) return {};
  if (trails && distance !== undefined && others.length + more.length === 0) {
    return { trailing: { distance }, ...(stop !== undefined && { stop }) };
  }
  if (!trails && stop !== undefined && others.length === 0) return { stop };
  const missing = trails ? distance === undefined && TRAILS : stop === undefined && LEVELS.stopLoss;
  if (missing && leg.refuseBlank(missing, "stopLoss")) return {};
  fields.problem("stopLoss", trails ? NO_DISTANCE : oneOf("stopLoss"));
  return {};
}

const NO_DISTANCE =
  "of type trailing_stop needs exactly one of trailAmount and trailPercent, and at most one level beside it";

function levelsIn(leg: AlertFields, name: Leg): readonly PlanLevelTicket[] {
  const price = distanceIn(leg, PRICE_OF[name]);
  const offset = distanceIn(leg, "amount");
  const percent = leg.percent("percent");
  return [
    ...(price === undefined ? [] : [{ price }]),
    ...(offset === undefined ? [] : [{ offset }]),
    ...(percent === undefined ? [] : [{ percent }]),
  ];
}

function distancesIn(leg: AlertFields, trails: boolean): readonly PlanLevelTicket[] {
  if (!trails) {
    for (const name of TRAILS) {
      leg.refuse(name, 'belongs to a stop-loss that trails: write "type": "trailing_stop" with it');
    }
    return [];
  }
  const offset = distanceIn(leg, "trailAmount");
  const percent = leg.percent("trailPercent");
  return [
    ...(offset === undefined ? [] : [{ offset }]),
    ...(percent === undefined ? [] : [{ percent }]),
  ];
}

/** A level of 0 was left out: there is nothing to protect at it. */
function distanceIn(leg: AlertFields, name: string): WrittenNumber | undefined {
  const written = leg.number(name);
  return Number(written) === 0 ? undefined : written;
}

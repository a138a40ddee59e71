import type { LevelUnit } from "./plan-typed.ts";

type Unit = Exclude<LevelUnit, "none">;

/** In what a level can be counted: as a choice, and as the label of its number. */
export const LEVEL_WORDS: Readonly<Record<Unit, readonly [choice: string, label: string]>> = {
  ticks: ["Ticks from the entry", "Ticks"],
  offset: ["Points from the entry", "Points"],
  percent: ["Percent of the entry's price", "Percent"],
  money: ["Money of one contract", "Amount"],
  r: ["Times the risk (R)", "R"],
  price: ["At a price", "Price"],
};

const EVERY = Object.keys(LEVEL_WORDS) as readonly Unit[];

/** Of what the gateway takes in each place: the risk is counted by the stop, and a distance is no price. */
export const UNITS = {
  target: EVERY,
  stop: EVERY.filter((unit) => unit !== "r"),
  after: EVERY,
  from: EVERY,
  distance: EVERY.filter((unit) => unit !== "price"),
} as const;

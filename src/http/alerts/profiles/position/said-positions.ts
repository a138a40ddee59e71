import type { Holding } from "../../../../domain/alert.ts";
import { parseDecimal } from "../../../../domain/contracts/decimal.ts";
import { type AlertFields, MAX_QTY } from "../../alert-fields.ts";
import { isObject, nothingIn } from "../../written-values.ts";
import type { ProfileOptions } from "../../alert-profile.ts";
import { HOLDING_OF, INSIDE, type PlaceNames, TOP } from "./fields.ts";

/** The body, or an object in it. */
export interface Place {
  /** How its fields are shown: `strategy.`, or nothing for the body itself. */
  readonly prefix: string;
  readonly fields: AlertFields;
  readonly names: PlaceNames;
}

/** Something that was said, and where, so that what contradicts it can be named. */
interface Said<Value> {
  readonly place: Place;
  readonly name: string;
  readonly value: Value;
}

interface Size {
  readonly qty: number;
  readonly isSigned: boolean;
}

/** The body, and the objects in it that speak of the position. */
export function placesOf(fields: AlertFields): readonly Place[] {
  const places: Place[] = [{ prefix: "", fields, names: TOP }];
  for (const [name, names] of Object.entries(INSIDE)) {
    const inside = isObject(fields.value(name)) ? fields.object(name) : undefined;
    if (inside !== undefined) places.push({ prefix: `${name}.`, fields: inside, names });
  }
  return places;
}

/** Whether it is said anywhere in it, rightly or not. */
export const saysPosition = ({ fields, names }: Place): boolean =>
  [...names.sides, ...names.signed, ...names.sizes, "position"].some((name) => fields.has(name));

/** Signed contracts; whatever is said of it in two places must agree. */
export function readTarget(places: readonly Place[], options: ProfileOptions): number | undefined {
  const [top] = places;
  const before = top?.fields.problems.length;
  const side = agreed(places.flatMap(sidesIn), (one, other) => one === other);
  if (side?.value === "FLAT") places.forEach(overlookBlankSizes);
  const sizes = places.flatMap(sizesIn).toSorted(signedFirst);
  const size = agreed(sizes, isSameSize);
  if (top === undefined || top.fields.problems.length !== before) return undefined;
  if (side !== undefined) return sideTimesSize(side, size, options);
  // Without a side only a sign tells long from short, and nothing but 0 does without one.
  if (size?.value.isSigned === true || size?.value.qty === 0) return size.value.qty + 0;
  return top.fields.problem(
    "market_position",
    "is needed: long, short or flat; or a position_size with its sign",
  );
}

function sideTimesSize(
  side: Said<Holding>,
  size: Said<Size> | undefined,
  { defaultQty }: ProfileOptions,
): number | undefined {
  const { value: holding } = side;
  const qty = size?.value.qty;
  const contradiction = (): undefined =>
    size?.place.fields.problem(size.name, `contradicts ${side.name}, which is ${word(holding)}`);
  if (holding === "FLAT") return qty === undefined || qty === 0 ? 0 : contradiction();

  if (qty === 0 || (qty !== undefined && qty < 0 && holding === "LONG")) return contradiction();
  const contracts = qty === undefined ? defaultQty : Math.abs(qty);
  if (contracts !== undefined) return holding === "LONG" ? contracts : -contracts;
  const message = "is needed: how many contracts, or a default quantity of the webhook";
  return side.place.fields.problem("market_position_size", message);
}

function sidesIn(place: Place): readonly Said<Holding>[] {
  const { fields, names } = place;
  const words = Object.keys(HOLDING_OF) as readonly (keyof typeof HOLDING_OF)[];
  const sides = speaksOf(place) === "side" ? [...names.sides, "position"] : names.sides;
  return sides.flatMap((name) => {
    const said = fields.choice(name, words);
    return said === undefined ? [] : [{ place, name, value: HOLDING_OF[said] }];
  });
}

/** How many are held when none are says nothing more. */
function overlookBlankSizes({ fields, names }: Place): void {
  for (const name of [...names.signed, ...names.sizes]) {
    if (fields.has(name) && nothingIn(fields.peek(name)) === "blank") fields.passOver(name);
  }
}

function sizesIn(place: Place): readonly Said<Size>[] {
  const { fields, names } = place;
  const signed = speaksOf(place) === "size" ? [...names.signed, "position"] : names.signed;
  const read = (name: string, isSigned: boolean): readonly Said<Size>[] => {
    if (fields.isPassedOver(name)) return [];
    const qty = fields.whole(name, { min: isSigned ? -MAX_QTY : 0 });
    return qty === undefined ? [] : [{ place, name, value: { qty, isSigned } }];
  };
  return [
    ...signed.flatMap((name) => read(name, true)),
    ...names.sizes.flatMap((name) => read(name, false)),
  ];
}

/** `position` is a side to some, a signed size to others, and an object that holds both. */
function speaksOf({ fields }: Place): "side" | "size" | "nothing" {
  const value = fields.value("position");
  if (value === undefined || isObject(value)) return "nothing";
  if (typeof value === "number") return "size";
  return typeof value === "string" && parseDecimal(value.trim()) !== undefined ? "size" : "side";
}

/** What was said first; names the others that say something else. */
function agreed<Value>(
  said: readonly Said<Value>[],
  isSame: (one: Value, other: Value) => boolean,
): Said<Value> | undefined {
  const [first, ...others] = said;
  if (first === undefined) return undefined;
  for (const { place, name, value } of others) {
    if (isSame(first.value, value)) continue;
    place.fields.problem(name, `contradicts ${first.place.prefix}${first.name}`);
  }
  return first;
}

const signedFirst = (one: Said<Size>, other: Said<Size>): number =>
  Number(other.value.isSigned) - Number(one.value.isSigned);

const isSameSize = (one: Size, other: Size): boolean =>
  one.isSigned && other.isSigned
    ? one.qty === other.qty
    : Math.abs(one.qty) === Math.abs(other.qty);

const word = (holding: Holding): string => holding.toLowerCase();

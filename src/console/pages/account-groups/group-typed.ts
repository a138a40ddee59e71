import type { components } from "../../api/schema.ts";
import { mapOf, mapText, numberOr } from "../../parts/typed-text.ts";

type Schemas = components["schemas"];

export type AccountGroup = Schemas["AccountGroup"];
export type Member = Schemas["GroupMember"];
export type MemberBody = Schemas["NewGroupMember"];

export type SizedBy = "multiplier" | "fixedQty" | "risk" | "riskPercent";

/** An account of a group as it stands in the form. */
export interface MemberTyped {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly sizedBy: SizedBy;
  /** How much, in the unit of `sizedBy`. */
  readonly text: string;
  /** Contracts that are sent where the risk allows less than one; empty: then nothing is. */
  readonly min: string;
  readonly symbolMap: string;
}

/** A group as it stands in the form. */
export interface GroupTyped {
  readonly name: string;
  readonly members: readonly MemberTyped[];
}

export const NEW_GROUP: GroupTyped = { name: "", members: [] };

export const newMember = (accountId: string): MemberTyped => ({
  accountId,
  enabled: true,
  sizedBy: "multiplier",
  text: "1",
  min: "",
  symbolMap: "",
});

export const typedGroup = ({ name, members }: AccountGroup): GroupTyped => ({
  name,
  members: members.map(typedMember),
});

function typedMember({ accountId, enabled, symbolMap, ...size }: Member): MemberTyped {
  return {
    ...newMember(accountId),
    enabled,
    symbolMap: mapText(symbolMap),
    ...typedSize(size),
  };
}

function typedSize({
  fixedQty,
  multiplier,
  size,
}: Pick<Member, "fixedQty" | "multiplier" | "size">): Partial<MemberTyped> {
  if (fixedQty !== null) return { sizedBy: "fixedQty", text: String(fixedQty) };
  if (size === null) return { sizedBy: "multiplier", text: multiplier ?? "1" };
  const min = size.min === undefined ? "" : String(size.min);
  return size.risk === undefined
    ? { sizedBy: "riskPercent", text: String(size.riskPercent ?? ""), min }
    : { sizedBy: "risk", text: String(size.risk), min };
}

/** What is sent: what is no number goes as it was typed, and the gateway says what is wrong with it. */
export const bodyOf = ({ name, members }: GroupTyped) => ({
  name: name.trim(),
  members: members.map(memberOf),
});

function memberOf(typed: MemberTyped): MemberBody {
  const symbolMap = mapOf(typed.symbolMap);
  const member = {
    accountId: typed.accountId,
    enabled: typed.enabled,
    ...sizeOf(typed),
    ...(Object.keys(symbolMap).length > 0 && { symbolMap }),
  };
  return member as MemberBody;
}

function sizeOf({ sizedBy, text, min }: MemberTyped): object {
  const amount = text.trim();
  switch (sizedBy) {
    case "multiplier":
      return { multiplier: amount };
    case "fixedQty":
      return { fixedQty: numberOr(amount) };
    case "risk":
    case "riskPercent":
      return {
        size: { [sizedBy]: amount, ...(min.trim() !== "" && { min: numberOr(min.trim()) }) },
      };
  }
}

/** The same with one of them a place further up (-1) or down (1); as it was at either end. */
export function moved<Item>(items: readonly Item[], place: number, by: -1 | 1): readonly Item[] {
  const [one, other] = [items[place], items[place + by]];
  if (one === undefined || other === undefined) return items;
  return items.map((item, nth) => (nth === place ? other : nth === place + by ? one : item));
}

/** How large an account's orders are, in words. */
export function sizeText({ fixedQty, multiplier, size }: Member): string {
  if (fixedQty !== null) return `always ${fixedQty}`;
  if (size === null) return `× ${multiplier ?? "1"}`;
  const min = size.min === undefined ? "" : `, at least ${size.min}`;
  return size.risk === undefined
    ? `${size.riskPercent ?? "?"} % of the account at risk${min}`
    : `${size.risk} at risk${min}`;
}

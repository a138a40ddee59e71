// The goal: what is typed into a group's form is what the gateway is asked for, in the order shown.
import { describe, expect, test } from "vitest";
import {
  type AccountGroup,
  bodyOf,
  type Member,
  moved,
  newMember,
  sizeText,
  typedGroup,
} from "../../../src/console/pages/account-groups/group-typed.ts";

const member = (change: Partial<Member>): Member => ({
  accountId: "paper-1",
  enabled: true,
  multiplier: null,
  fixedQty: null,
  size: null,
  symbolMap: {},
  ...change,
});

const group = (members: readonly Member[]): AccountGroup => ({
  id: "ag_1",
  name: "Evaluations",
  members: [...members],
  createdAt: "2026-09-21T14:30:00.000Z",
});

test.each<[string, Member, object, string]>([
  ["a multiple", member({ multiplier: "0.5" }), { multiplier: "0.5" }, "× 0.5"],
  ["always the same", member({ fixedQty: 2 }), { fixedQty: 2 }, "always 2"],
  [
    "money at risk",
    member({ size: { risk: "250.50", min: 1 } }),
    { size: { risk: "250.50", min: 1 } },
    "250.50 at risk, at least 1",
  ],
  [
    "percent at risk",
    member({ size: { riskPercent: "0.5" } }),
    { size: { riskPercent: "0.5" } },
    "0.5 % of the account at risk",
  ],
])("a size of %s is kept, and said", (_, one, size, words) => {
  const { members } = bodyOf(typedGroup(group([one])));
  expect(members).toEqual([{ accountId: "paper-1", enabled: true, ...size }]);
  expect(sizeText(one)).toBe(words);
});

test("a member that is off, and its symbols, are kept", () => {
  const one = member({ enabled: false, multiplier: "1", symbolMap: { NQ: "MNQ" } });
  const { members } = bodyOf(typedGroup(group([one])));
  expect(members).toMatchObject([{ enabled: false, symbolMap: { NQ: "MNQ" } }]);
});

test("what is no number goes as it was typed, for the gateway to refuse", () => {
  const typed = { ...newMember("paper-1"), sizedBy: "fixedQty", text: "many" } as const;
  expect(bodyOf({ name: " One ", members: [typed] })).toEqual({
    name: "One",
    members: [{ accountId: "paper-1", enabled: true, fixedQty: "many" }],
  });
});

describe("the order of members", () => {
  test.each<[number, -1 | 1, string]>([
    [0, 1, "bac"],
    [2, -1, "acb"],
    [0, -1, "abc"],
    [2, 1, "abc"],
  ])("the one at %i goes %i", (place, by, order) => {
    expect(moved(["a", "b", "c"], place, by).join("")).toBe(order);
  });
});

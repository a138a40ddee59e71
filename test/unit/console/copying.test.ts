// The goal: what the page of copy trading says will be sent, and what it sends to the gateway, is
// what was typed and what the follower's figures come to.
// The method: tables of figures and forms, and the words or bodies that come of them.
import { describe, expect, test } from "vitest";
import {
  changeOf as followerChangeOf,
  differencesInWords,
  newFollower,
  putOf,
  signedText,
  sizeInWords,
  typedFollower,
} from "../../../src/console/pages/copying/follower-terms.ts";
import {
  changeOf,
  creationOf,
  newGroup,
  typedGroup,
} from "../../../src/console/pages/copying/group-terms.ts";
import { stepsOf, tradedQty, tradeText } from "../../../src/console/pages/copying/sync-plan.ts";
import {
  type Account,
  type CopyGroup,
  type Follower,
  mayFollow,
  mayLead,
} from "../../../src/console/pages/copying/world.ts";
import { qtyText } from "../../../src/console/parts/figure-text.ts";

const follower = (change: Partial<Follower> = {}): Follower => ({
  accountId: "paper-2",
  multiplier: "1",
  rounding: "down",
  fixedQty: null,
  invert: false,
  symbolMap: {},
  allowedSymbols: null,
  maxQty: null,
  enabled: true,
  state: "following",
  reason: null,
  notices: [],
  stoppedAt: null,
  positions: [],
  ...change,
});

const group = (change: Partial<CopyGroup> = {}): CopyGroup => ({
  id: "cg_1",
  name: "Evaluations",
  mode: "fills",
  driftPolicy: "alarm",
  driftAfterSeconds: 10,
  maxAgeSeconds: 30,
  stopAfterRejects: 3,
  paused: false,
  leaderAccountId: "paper-1",
  createdAt: "2026-09-21T14:30:00.000Z",
  leader: { connectionStatus: "CONNECTED" },
  followers: [],
  ...change,
});

describe("in words", () => {
  test.each<[Partial<Follower>, string]>([
    [{}, "1 for 1"],
    [{ multiplier: "0.5" }, "half, rounded down"],
    [{ multiplier: "0.5", rounding: "up", maxQty: 5 }, "half, rounded up, at most 5"],
    [{ multiplier: "1.25", rounding: "nearest" }, "1.25 times, rounded to the nearest"],
    [{ multiplier: "2" }, "double"],
    [{ multiplier: "10" }, "10 times"],
    [{ multiplier: null, rounding: null, fixedQty: 3 }, "always 3"],
  ])("the size of %j", (terms, words) => {
    expect(sizeInWords(follower(terms))).toBe(words);
  });

  test("what is traded otherwise than by the leader", () => {
    expect(differencesInWords(follower())).toEqual([]);
    const terms = { invert: true, symbolMap: { NQ: "MNQ", ES: "MES" }, allowedSymbols: ["MNQ"] };
    expect(differencesInWords(follower(terms))).toEqual([
      "inverted: short where the leader is long",
      "MNQ for NQ, MES for ES",
      "only MNQ",
    ]);
  });

  test("signed quantities", () => {
    expect([2, -1, 0].map(qtyText)).toEqual(["long 2", "short 1", "flat"]);
    expect([2, -1, 0].map(signedText)).toEqual(["+2", "−1", "0"]);
  });
});

describe("what a sync sends", () => {
  const position = (targetQty: number, heldQty: number, driftQty: number) => ({
    symbol: "MNQZ6",
    leaderQty: targetQty,
    targetQty,
    heldQty,
    driftQty,
  });

  test.each<[string, Partial<Follower>, readonly string[]]>([
    ["nothing where it is", { positions: [position(2, 2, 0)] }, []],
    ["what is missing", { positions: [position(2, 1, -1)] }, ["buys 1 to long 2"]],
    ["what is too much", { positions: [position(2, 5, 3)] }, ["sells 3 to long 2"]],
    ["what is on the wrong side", { positions: [position(-2, 1, 3)] }, ["sells 3 to short 2"]],
    ["all of it to one that is joining", { positions: [position(3, 0, 0)] }, ["buys 3 to long 3"]],
    [
      "nothing that opens to one that is stopped",
      { stoppedAt: "2026-09-21T14:30:00.000Z", positions: [position(3, 0, 0)] },
      [],
    ],
    [
      "only what closes to one that is stopped",
      { stoppedAt: "2026-09-21T14:30:00.000Z", positions: [position(2, -1, -1)] },
      ["buys 1 to flat"],
    ],
  ])("%s", (_, terms, told) => {
    const steps = stepsOf(follower(terms));
    expect(steps.map((step) => `${tradeText(step)} to ${qtyText(step.dueQty)}`)).toEqual(told);
  });

  test("is counted over all contracts", () => {
    const positions = [position(2, 1, -1), { ...position(-2, 1, 3), symbol: "ESZ6" }];
    expect(tradedQty(stepsOf(follower({ positions })))).toBe(4);
  });
});

test("only those accounts are offered that may lead, or follow", () => {
  const accounts = ["a", "b", "c", "d"].map((id) => ({ id }) as Account);
  const groups = [group({ leaderAccountId: "a", followers: [follower({ accountId: "b" })] })];
  const ids = (found: readonly Account[]) => found.map(({ id }) => id);
  expect(ids(mayLead({ accounts, groups }))).toEqual(["a", "c", "d"]);
  expect(ids(mayFollow({ accounts, groups }))).toEqual(["c", "d"]);
});

describe("a group as it is typed", () => {
  test("is created with what was typed, and nobody in it", () => {
    const typed = { ...newGroup("paper-1"), name: " Mine ", maxAgeSeconds: "5", mode: "orders" };
    expect(creationOf(typed as ReturnType<typeof newGroup>)).toEqual({
      leaderAccountId: "paper-1",
      followers: [],
      name: "Mine",
      mode: "orders",
      driftPolicy: "alarm",
      maxAgeSeconds: 5,
    });
  });

  test("changes only what differs; what is no number is left to the gateway", () => {
    const stored = group();
    expect(changeOf(typedGroup(stored), stored)).toEqual({});
    const typed = { ...typedGroup(stored), driftPolicy: "repair", stopAfterRejects: "few" };
    expect(changeOf(typed as ReturnType<typeof typedGroup>, stored)).toEqual({
      driftPolicy: "repair",
      stopAfterRejects: "few",
    });
  });
});

describe("a follower as it is typed", () => {
  test("is put with a size, and with what was typed", () => {
    const start = newFollower("paper-2");
    const plain = { multiplier: "1", rounding: "down", invert: false, symbolMap: {} };
    expect(putOf(start)).toEqual(plain);
    const typed = {
      ...start,
      sizedBy: "fixedQty",
      fixedQty: "2",
      maxQty: "5",
      symbolMap: "NQ=MNQ, ES to MES",
      allowedSymbols: "MNQ MES",
    } as const;
    expect(putOf(typed)).toEqual({
      fixedQty: 2,
      maxQty: 5,
      invert: false,
      symbolMap: { NQ: "MNQ", ES: "MES" },
      allowedSymbols: ["MNQ", "MES"],
    });
  });

  test("asks for nothing when nothing was changed, and clears what was emptied", () => {
    const stored = follower({ maxQty: 5, allowedSymbols: ["MNQ"], symbolMap: { NQ: "MNQ" } });
    const typed = typedFollower(stored);
    expect(followerChangeOf(typed, stored)).toEqual({});
    const emptied = { ...typed, maxQty: "", allowedSymbols: "", symbolMap: "" };
    expect(followerChangeOf(emptied, stored)).toEqual({
      multiplier: "1",
      rounding: "down",
      maxQty: null,
      invert: false,
      symbolMap: {},
      allowedSymbols: null,
    });
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { IdentityOf } from "../../../../src/domain/account-identity.ts";
import type { CopyGroup, FollowerTerms } from "../../../../src/domain/copying/copy-group.ts";
import { accountId, copyGroupId } from "../../../../src/domain/ids.ts";
import { GatewayError, type Problem } from "../../../../src/errors.ts";
import {
  readTerms,
  requireOneMarket,
  requireSound,
} from "../../../../src/trading/copying/check-copy-group.ts";
import type { FollowerChange } from "../../../../src/trading/copying/copy-uses.ts";
import { contracts, FIRST, follower, group, LEADER, NOW, SECOND, STRANGER } from "./copy-kit.ts";

const NEW: FollowerTerms = {
  accountId: FIRST,
  size: { by: "multiplier", multiplier: "1", rounding: "down" },
  invert: false,
  symbolMap: {},
  enabled: true,
};
const SET: FollowerTerms = {
  accountId: FIRST,
  size: { by: "multiplier", multiplier: "0.5", rounding: "up" },
  invert: true,
  symbolMap: { NQ: "MNQ" },
  allowedSymbols: ["MNQ"],
  maxQty: 5,
  enabled: false,
};
const FIXED: FollowerTerms = { ...SET, size: { by: "fixed", qty: 2 } };

function read(change: FollowerChange, before?: FollowerTerms) {
  const problems: Problem[] = [];
  const terms = readTerms(FIRST, change, { contracts, nowMs: NOW, problems }, before);
  return { terms, problems };
}

describe("a follower's terms", () => {
  test.each<[FollowerChange, FollowerTerms | undefined, Partial<FollowerTerms>]>([
    [{}, undefined, NEW],
    [{}, SET, SET],
    [
      { multiplier: "0.50" },
      undefined,
      { size: { by: "multiplier", multiplier: "0.5", rounding: "down" } },
    ],
    [
      { rounding: "nearest" },
      SET,
      { size: { by: "multiplier", multiplier: "0.5", rounding: "nearest" } },
    ],
    [{ multiplier: "2" }, SET, { size: { by: "multiplier", multiplier: "2", rounding: "up" } }],
    [{ multiplier: "2" }, FIXED, { size: { by: "multiplier", multiplier: "2", rounding: "down" } }],
    [{ fixedQty: 3 }, SET, { size: { by: "fixed", qty: 3 } }],
    [{ enabled: true }, FIXED, { ...FIXED, enabled: true }],
    [{ symbolMap: { nq: " mes " } }, SET, { symbolMap: { NQ: "MES" } }],
    [{ symbolMap: {} }, SET, { symbolMap: {} }],
    [{ allowedSymbols: ["mes", "MES", "es"] }, SET, { allowedSymbols: ["MES", "ES"] }],
    [{ maxQty: 1, invert: false }, SET, { maxQty: 1, invert: false }],
  ])("of %j on %j hold %j", (change, before, expected) => {
    const { terms, problems } = read(change, before);
    expect(problems).toEqual([]);
    expect(terms).toEqual({ ...(before ?? NEW), ...expected });
  });

  test("null clears what may be absent", () => {
    const { terms } = read({ allowedSymbols: null, maxQty: null }, SET);
    expect(Object.keys(terms)).not.toContain("allowedSymbols");
    expect(Object.keys(terms)).not.toContain("maxQty");
  });

  test("are all that was set before, with what is given in its place", () => {
    const changes = fc.record<FollowerChange>(
      {
        invert: fc.boolean(),
        enabled: fc.boolean(),
        maxQty: fc.integer({ min: 1, max: 100 }),
        symbolMap: fc.constantFrom({}, { ES: "MES" }),
        allowedSymbols: fc.constantFrom(["ES"], ["MES", "MNQ"]),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, fc.constantFrom(NEW, SET, FIXED), (change, before) => {
        expect(read(change, before).terms).toEqual({ ...before, ...change });
      }),
    );
  });

  test.each<[FollowerChange, FollowerTerms | undefined, readonly string[]]>([
    [{ multiplier: "0" }, undefined, ["multiplier"]],
    [{ multiplier: "1", fixedQty: 1 }, undefined, ["fixedQty"]],
    [{ rounding: "up", fixedQty: 1 }, undefined, ["rounding"]],
    [{ rounding: "up" }, FIXED, ["rounding"]],
    [{ symbolMap: { ZZZ: "MES", ES: "AAPL" } }, SET, ["symbolMap.ZZZ", "symbolMap.ES"]],
    [{ allowedSymbols: ["ES", "ESZ6"] }, SET, ["allowedSymbols.1"]],
    [{ multiplier: "x", allowedSymbols: ["AAPL"] }, SET, ["allowedSymbols.0", "multiplier"]],
  ])("of %j on %j are refused at their places", (change, before, paths) => {
    expect(read(change, before).problems.map(({ path }) => path)).toEqual(paths);
  });

  test("name where in a list they are wrong", () => {
    const problems: Problem[] = [];
    const reading = { contracts, nowMs: NOW, problems, at: "followers.1." };
    readTerms(FIRST, { multiplier: "-1", symbolMap: { ES: "ZZZ" } }, reading);
    expect(problems.map(({ path }) => path)).toEqual([
      "followers.1.multiplier",
      "followers.1.symbolMap.ES",
    ]);
  });
});

/** What it is refused with: its code and message; undefined when it is sound. */
function refusal(
  wanted: CopyGroup,
  groups: readonly CopyGroup[],
  identityOf: IdentityOf = String,
): string | undefined {
  return sayOf(() => requireSound(wanted, groups, identityOf));
}

function sayOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.spec.code}: ${error.message}`;
  }
}

describe("a group", () => {
  const other = group({
    groupId: copyGroupId("cg_2"),
    name: "Other",
    leader: SECOND,
    followers: [follower({ accountId: accountId("paper-9") })],
  });
  const with9 = (leader = LEADER) =>
    group({ leader, followers: [follower({ accountId: accountId("paper-9") })] });

  test("is sound beside itself and beside groups of other accounts", () => {
    expect(refusal(group(), [])).toBeUndefined();
    expect(refusal(group(), [group(), other])).toBeUndefined();
    expect(refusal(group({ followers: [] }), [other])).toBeUndefined();
  });

  test("may be led by a leader of another group", () => {
    expect(refusal(group({ leader: SECOND }), [other])).toBeUndefined();
  });

  test.each([
    ["its leader follows", with9(accountId("paper-9")), /paper-9 follows in .*"Other" \(cg_2\)/],
    ["a follower leads", group({ followers: [follower({ accountId: SECOND })] }), /paper-3 leads/],
    ["a follower follows another", with9(), /paper-9 follows in .*already/],
    ["it follows itself", group({ followers: [follower({ accountId: LEADER })] }), /itself/],
  ])("is a loop where %s", (_, wanted, message) => {
    expect(refusal(wanted, [other])).toMatch(/^COPY_LOOP: /);
    expect(refusal(wanted, [other])).toMatch(message);
  });

  test("is a loop where two logins reach one account, and names no other user's", () => {
    const oneLogin: IdentityOf = (account) => (account === FIRST ? LEADER : account);
    expect(refusal(group(), [], oneLogin)).toMatch(
      /^COPY_LOOP: paper-2 cannot follow paper-1: they are one account, by two logins/,
    );
    const theirs = { ...other, userId: STRANGER };
    const asTheirs: IdentityOf = (account) => (account === FIRST ? SECOND : account);
    const message = refusal(group(), [theirs], asTheirs);
    expect(message).toMatch(/^COPY_LOOP: paper-2 leads a copy group of another user/);
    expect(message).not.toMatch(/Other|cg_2/);
    const both = group({ followers: [follower(), follower({ accountId: SECOND })] });
    expect(refusal(both, [], asTheirs)).toMatch(
      /^VALIDATION_FAILED: .*paper-3 is another follower/,
    );
  });

  test("names an account once", () => {
    const wanted = group({ followers: [follower(), follower()] });
    expect(refusal(wanted, [])).toMatch(/^VALIDATION_FAILED: .*paper-2 twice/);
  });

  test("cannot copy the orders of an inverted follower", () => {
    const followers = [follower({ invert: true })];
    expect(refusal(group({ followers }), [])).toBeUndefined();
    expect(refusal(group({ followers, mode: "orders" }), [])).toMatch(/^VALIDATION_FAILED: .*mode/);
  });

  test.each<[string, CopyGroup["mode"], Readonly<Record<string, string>>, string | undefined]>([
    ["the orders of another market", "orders", { NQ: "ES" }, "ES for NQ"],
    ["the orders of an oil of another exchange", "orders", { BZ: "B" }, "B for BZ"],
    ["the fills of another market", "fills", { NQ: "ES" }, undefined],
    ["the orders of a smaller contract", "orders", { NG: "MNG", GC: "1OZ" }, undefined],
  ])("copies %s, or says why not", (_, mode, symbolMap, crossed) => {
    const wanted = group({ mode, followers: [follower({ symbolMap })] });
    const said = sayOf(() => requireOneMarket(undefined, wanted, contracts.isOneMarket)) ?? "sound";
    const why = `it trades ${crossed}, which is another market, so no stop of its leader can be placed there`;
    const expected = crossed === undefined ? "sound" : `must be fills for ${FIRST}: ${why}`;
    expect(said).toContain(expected);
  });

  test("that crosses markets already can still be paused, and takes no second one", () => {
    const before = group({ mode: "orders", followers: [follower({ symbolMap: { NQ: "ES" } })] });
    const { isOneMarket } = contracts;
    expect(() => requireOneMarket(before, { ...before, paused: true }, isOneMarket)).not.toThrow();
    const more = { ...before, followers: [follower({ symbolMap: { NQ: "ES", GC: "SI" } })] };
    expect(() => requireOneMarket(before, more, isOneMarket)).toThrow(GatewayError);
    const turned = { ...before, mode: "fills" } as const;
    expect(() => requireOneMarket(turned, before, isOneMarket)).toThrow(GatewayError);
  });

  test("has 100 followers at most", () => {
    const followers = (count: number) =>
      Array.from({ length: count }, (_, n) => follower({ accountId: accountId(`a-${n}`) }));
    expect(refusal(group({ followers: followers(100) }), [])).toBeUndefined();
    expect(refusal(group({ followers: followers(101) }), [])).toMatch(/^VALIDATION_FAILED/);
  });

  test("is one of 100 of its user at most", () => {
    const groups = Array.from({ length: 100 }, (_, n) =>
      group({ groupId: copyGroupId(`cg_${n}`), leader: accountId(`a-${n}`), followers: [] }),
    );
    const one = group({ groupId: copyGroupId("cg_new") });
    expect(refusal(one, groups)).toMatch(/^TOO_MANY_COPY_GROUPS/);
    expect(refusal(one, groups.slice(1))).toBeUndefined();
    expect(refusal(group({ groupId: copyGroupId("cg_7") }), groups)).toBeUndefined();
    const theirs = groups.map((each) => ({ ...each, userId: STRANGER }));
    expect(refusal(one, theirs)).toBeUndefined();
  });
});

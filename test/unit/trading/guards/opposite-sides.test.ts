import { beforeEach, expect, test } from "vitest";
import type { RuleOf } from "../../../../src/domain/guards/rule.ts";
import { type AccountId, accountId } from "../../../../src/domain/ids.ts";
import { createClaimSide, type SideClaim } from "../../../../src/trading/guards/opposite-sides.ts";
import { OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ES, NQ, USER } from "../lane-kit.ts";

const [ONE, OTHER] = [accountId("paper-1"), accountId("paper-2")];
const RULE: RuleOf<"opposite"> & typeof OF_RULE = {
  ...OF_RULE,
  kind: "opposite",
  groups: [["ES", "MES"]],
};

let claims: SideClaim[];
/** What the other account holds of ES. */
let held: number;
let claimedBy: typeof ONE | undefined;
/** All accounts, with what differs between them. */
let known: { accountId: AccountId; active: boolean; number?: string }[];

beforeEach(() => {
  [claims, held, claimedBy] = [[], 0, undefined];
  known = [ONE, OTHER].map((accountId) => ({ accountId, active: true }));
});

const OF_ALL = { broker: "tradovate", environment: "demo", userId: USER };

const claimSide = createClaimSide({
  accounts: {
    find: (id: AccountId) => ({ ...OF_ALL, ...known.find(({ accountId }) => accountId === id) }),
    of: () => known.map((one) => ({ ...OF_ALL, ...one })),
  } as never,
  sides: {
    claim: async (_, claim) => {
      claims.push(claim);
      return claimedBy;
    },
    keep: async () => undefined,
  },
  views: {
    positions: async (account) => ({
      value: account === OTHER ? ([{ contract: ES, netQty: held }] as never) : [],
      asOf: 0,
    }),
  },
  now: () => 1_000,
});

const ask = async (order: object = {}, rule: object = {}) =>
  await claimSide(ONE, settingsOf([{ ...RULE, ...rule }]), {
    contract: ES,
    side: "BUY",
    orderQty: 1,
    ordType: "MARKET",
    timeInForce: "DAY",
    ...order,
  });

test("claims its side of the root against all that are related", async () => {
  expect(await ask()).toBeUndefined();
  expect(claims).toMatchObject([{ account: ONE, root: "ES", side: "BUY", against: ["ES", "MES"] }]);
});

test("what another account holds on the other side refuses it, and claims nothing", async () => {
  held = -1;
  expect(await ask()).toMatchObject({ code: "GUARD_REFUSED", ruleId: "rule", isShadow: false });
  expect((await ask())?.reason).toContain("paper-2 is short");
  expect([await ask({ side: "SELL" }), claims.length]).toEqual([undefined, 1]);
});

test("an account by another login is no other account", async () => {
  held = -1;
  known = [ONE, OTHER].map((accountId) => ({ accountId, active: true, number: "7" }));
  expect(await ask()).toBeUndefined();
  expect(claims).toMatchObject([{ account: ONE, itself: [ONE, OTHER] }]);
});

test("an inactive account is named with when it was seen, and the way out", async () => {
  held = -1;
  known = [
    { accountId: ONE, active: true },
    { accountId: OTHER, active: false },
  ];
  const reason = (await ask())?.reason;
  expect(reason).toContain(
    "paper-2 is inactive, and was short in a related contract when it was last seen (1970-01-01T00:00:00.000Z)",
  );
  expect(reason).toContain("If it is flat at its broker, say so on its page");
});

test("an inactive login says nothing of an account that another one reads", async () => {
  held = -1;
  known = [
    { accountId: ONE, active: true },
    { accountId: OTHER, active: false, number: "8" },
    { accountId: accountId("paper-3"), active: true, number: "8" },
  ];
  expect(await ask()).toBeUndefined();
});

test("what another account has claimed refuses it", async () => {
  claimedBy = OTHER;
  expect((await ask({ side: "SELL" }))?.reason).toContain("paper-2 is long");
});

test("in shadow it only says so; what is not related is free", async () => {
  held = -1;
  expect(await ask({}, { mode: "shadow" })).toMatchObject({ isShadow: true });
  expect(await ask({ contract: NQ })).toBeUndefined();
  expect(claims).toEqual([]);
});

import { beforeEach, expect, test } from "vitest";
import type { RuleOf } from "../../../../src/domain/guards/rule.ts";
import { accountId } from "../../../../src/domain/ids.ts";
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

beforeEach(() => {
  [claims, held, claimedBy] = [[], 0, undefined];
});

const claimSide = createClaimSide({
  accounts: {
    find: () => ({ userId: USER }),
    of: () => [{ accountId: ONE }, { accountId: OTHER }],
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

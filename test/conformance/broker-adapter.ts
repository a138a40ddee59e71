import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import { testsSideBySide } from "../support/side-by-side.ts";
import { type BrokerUnderTest, Trader } from "./broker-under-test.ts";
import { balanceCases } from "./cases/balances.ts";
import { barCases } from "./cases/bars.ts";
import { bracketFillCases } from "./cases/bracket-fills.ts";
import { bracketCases, noBracketCases } from "./cases/brackets.ts";
import { cancelCases } from "./cases/cancel.ts";
import { durabilityCases } from "./cases/durability.ts";
import { flattenCases } from "./cases/flatten.ts";
import type { Given } from "./cases/given.ts";
import { legChangeCases } from "./cases/leg-changes.ts";
import { modifyCases } from "./cases/modify.ts";
import { orderTypeCases } from "./cases/order-types.ts";
import { orderCases } from "./cases/orders.ts";
import { positionCases } from "./cases/positions.ts";
import { plainPairCases, protectionCases } from "./cases/protection.ts";
import { bracketRaceCases, raceCases } from "./cases/races.ts";
import { quoteCases } from "./cases/quotes.ts";
import { sessionCases } from "./cases/sessions.ts";
import { expectTrueReports } from "./true-reports.ts";

/**
 * What every adapter promises, numbered so that an exception can name what it gives up. A new
 * broker passes this before it is merged. Prices are ticks around 1,000. What depends on a
 * capability is checked either way: what it does with it, and what it does without. Subjects run
 * side by side, each with one trader at a time: `create` gives each its own accounts and contracts.
 */
export function brokerAdapterConformance(
  name: string,
  capabilities: BrokerCapabilities,
  create: () => Promise<BrokerUnderTest>,
): void {
  const subject = (cases: (given: Given) => void) =>
    describe.concurrent(`${name} conforms to BrokerAdapter`, () => {
      cases(oneAfterAnother(create));
    });

  subject((given) => {
    test("00 the adapter says what the suite holds it to", () => {
      expect(given().adapter.capabilities).toEqual(capabilities);
    });
  });
  for (const cases of subjectsOf(capabilities)) subject(cases);
}

/** A connected trader for each case of a suite, whose cases run one after another. */
function oneAfterAnother(create: () => Promise<BrokerUnderTest>): Given {
  testsSideBySide();
  let trader: Trader;
  beforeEach(async () => {
    trader = new Trader(await create());
    await trader.connect();
    await trader.market(999, 1_000);
    const { otherContract, setMarket } = trader.broker;
    await setMarket(otherContract, { bid: 999, ask: 1_000, bidQty: 1_000, askQty: 1_000 });
  });
  afterEach(async () => {
    try {
      if (trader.isWhole) await expectTrueReports(trader);
    } finally {
      await trader.close();
    }
  });
  return () => trader;
}

function subjectsOf({
  nativeBracket,
  nativeOco,
}: BrokerCapabilities): readonly ((given: Given) => void)[] {
  const always = [
    sessionCases,
    orderCases,
    orderTypeCases,
    positionCases,
    barCases,
    quoteCases,
    balanceCases,
    flattenCases,
    cancelCases,
    modifyCases,
    raceCases,
    durabilityCases,
  ];
  const brackets = [bracketCases, bracketFillCases, legChangeCases, bracketRaceCases];
  return [
    ...always,
    nativeOco ? protectionCases : plainPairCases,
    ...(nativeBracket ? brackets : [noBracketCases]),
  ];
}

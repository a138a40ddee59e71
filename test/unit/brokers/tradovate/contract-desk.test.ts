import { describe, expect, test } from "vitest";
import { ContractDesk, ContractMemory } from "../../../../src/brokers/tradovate/contract-desk.ts";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";

const PRODUCT = { id: 3, name: "ES", valuePerPoint: 50, tickSize: 0.25 };
const MATURITY = { id: 2, productId: 3, expirationMonth: 202612 };

/** A broker that lists one contract under a name of its own. */
function deskOf(name: string, maturity: object = {}): ContractDesk {
  const listed = new Map<string, unknown>([
    ["contract/item id=1", { id: 1, name, contractMaturityId: 2 }],
    [`contract/find name=${name}`, { id: 1, name, contractMaturityId: 2 }],
    ["contractMaturity/item id=2", { ...MATURITY, ...maturity }],
    ["product/item id=3", PRODUCT],
  ]);
  return new ContractDesk({
    memory: new ContractMemory(),
    store: new EntityStore(),
    terms: { product: () => ({ tickSize: tickSize("0.25"), pointValue: "50" }) },
    ask: async (endpoint, query) => listed.get(`${endpoint} ${query}`),
    onDifference: () => undefined,
    elapsed: () => 0,
  });
}

describe("a contract that is held", () => {
  test.each(["ESZ6", "ESZ26"])(
    "is traded by the name that the broker gives it: %s",
    async (name) => {
      const desk = deskOf(name);
      const held = await desk.learn(1);
      expect(held?.code).toBe("ESZ2026");
      expect(held && (await desk.find(held.code))).toMatchObject({ id: 1, symbol: name });
    },
  );

  test.each([0, -5, 12, 202_613, 20_261_231, 1.5])(
    "has no year by the figure %d, and is closed by its name",
    async (expirationMonth) => {
      const desk = deskOf("ESZ6", { expirationMonth });
      const held = await desk.learn(1);
      expect(held?.code).toBe("#ESZ6");
      expect(held && (await desk.find(held.code))).toMatchObject({ id: 1, symbol: "ESZ6" });
    },
  );
});

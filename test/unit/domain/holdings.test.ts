import { expect, test } from "vitest";
import fc from "fast-check";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { positionGaps } from "../../../src/domain/holdings.ts";

const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;
const CL = "CLF2027" as ContractCode;

test("base and fills together are what is expected; whatever else is held is a gap", () => {
  const base = new Map([
    [ES, 2],
    [NQ, 1],
  ]);
  const filledNet = new Map([
    [ES, -2],
    [NQ, 3],
  ]);
  const positions = [
    { contract: NQ, netQty: 4 },
    { contract: CL, netQty: -1 },
  ];
  expect(positionGaps({ base, filledNet }, positions)).toEqual([
    { contract: CL, expectedQty: 0, foundQty: -1 },
  ]);
  expect(positionGaps({ base, filledNet }, [])).toEqual([
    { contract: NQ, expectedQty: 4, foundQty: 0 },
  ]);
});

test("moving the base by the gaps closes every one of them", () => {
  const qty = fc.integer({ min: -5, max: 5 });
  const quantities = fc
    .dictionary(fc.constantFrom(ES, NQ, CL), qty)
    .map((entries) => new Map(Object.entries(entries) as [ContractCode, number][]));
  fc.assert(
    fc.property(quantities, quantities, quantities, (base, filledNet, held) => {
      const positions = [...held]
        .filter(([, netQty]) => netQty !== 0)
        .map(([contract, netQty]) => ({ contract, netQty }));
      const moved = new Map(base);
      for (const gap of positionGaps({ base, filledNet }, positions)) {
        moved.set(gap.contract, (base.get(gap.contract) ?? 0) + gap.foundQty - gap.expectedQty);
      }
      expect(positionGaps({ base: moved, filledNet }, positions)).toEqual([]);
    }),
  );
});

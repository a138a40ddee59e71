import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { holdsAlong, movesOf } from "../../../../src/trading/copying/leader-moves.ts";
import { ES, NQ } from "./copy-kit.ts";
import { news, noted } from "./news-kit.ts";

test("fills of one contract are one move, at their average price", () => {
  const fills = [noted(4, ES, 2), noted(5, ES, 1, { px: 106 })];
  expect(movesOf(news(fills, [[ES, 5]]))).toEqual([
    {
      contract: ES,
      seq: 5,
      newest: fills[1]?.fill,
      beganAt: fills[0]?.fill.transactTimeAt,
      orders: new Map(fills.map(({ fill }) => [fill.orderId, fill.lastQty])),
      side: "BUY",
      qty: 3,
      px: { numerator: 306, denominator: 3 },
    },
  ]);
});

test("what is compared in price is the newest fill's side alone", () => {
  const fills = [noted(1, ES, 3), noted(2, ES, -1, { px: 90 }), noted(3, ES, -1, { px: 80 })];
  const [move] = movesOf(news(fills, [[ES, 1]]));
  expect(move).toMatchObject({ side: "SELL", qty: 2 });
  expect(move?.px).toEqual({ numerator: 170, denominator: 2 });
});

test("moves come in the order of their newest fills", () => {
  const fills = [noted(1, ES, 1), noted(2, NQ, 1), noted(3, ES, -1)];
  const moves = movesOf(news(fills, [[NQ, 1]]));
  expect(moves.map(({ contract, seq }) => [contract, seq])).toEqual([
    [NQ, 2],
    [ES, 3],
  ]);
});

test("nothing noted is no move", () => {
  expect(movesOf(news([], [[ES, 3]]))).toEqual([]);
});

test("what was held along the way begins before all fills and ends with what is held now", () => {
  const qty = fc.integer({ min: -4, max: 4 }).filter((it) => it !== 0);
  const trade = fc.tuple(fc.constantFrom(ES, NQ), qty);
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 8 }), qty, (trades, started) => {
      const holds = new Map<ContractCode, number>([
        [ES, started],
        [NQ, 0],
      ]);
      const along = [[started, 0]];
      for (const [contract, by] of trades) {
        holds.set(contract, (holds.get(contract) ?? 0) + by);
        along.push([holds.get(ES) ?? 0, holds.get(NQ) ?? 0]);
      }
      const fills = trades.map(([contract, by], n) => noted(n + 1, contract, by));
      const found = holdsAlong(news(fills, [...holds]));
      expect(found.map((held) => [held.get(ES), held.get(NQ)])).toEqual(along);
    }),
  );
});

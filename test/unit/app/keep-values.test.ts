import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { composeValues } from "../../../src/app/keep-values.ts";
import { Lifecycle } from "../../../src/app/lifecycle.ts";
import type { Foundation } from "../../../src/app/open-foundation.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { type AccountId, accountId, connectionId } from "../../../src/domain/ids.ts";
import { type Quote, quoteHeardAt } from "../../../src/domain/quote.ts";
import type { Quotes } from "../../../src/trading/money/ports.ts";
import type { Connections } from "../../../src/trading/ports.ts";

const ACCOUNT = accountId("c1-1");
const OTHER = accountId("c1-2");
const CONNECTION = connectionId("c1");
const ES = "ESZ2026" as ContractCode;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a broker that does not say what an account is worth keeps no price and no other account waiting", async () => {
  const shown: Quote[] = [];
  let tell: ((quote: Quote) => void) | undefined;
  const asked = vi.fn<(account: AccountId) => Promise<never>>(
    async () => await new Promise(() => undefined),
  );
  const stored = { accountId: ACCOUNT, connectionId: CONNECTION, active: true };
  const owned = {
    ownership: { isOwned: () => true },
    status: "CONNECTED",
    broker: {
      balances: asked,
      prices: {
        missing: () => undefined,
        watch: (_: ContractCode, listener: (quote: Quote) => void) => {
          tell = listener;
          return () => undefined;
        },
      },
    },
  };
  const save: Quotes["save"] = async (_, { quotes }) => {
    await Promise.resolve(shown.push(...quotes.values()));
  };
  const values = composeValues(
    {
      accounts: { find: () => stored, all: () => [stored] },
      changes: { publish: () => undefined },
      reading: { quotes: { save } },
      log: { warn: () => undefined },
      now: Date.now,
    } as unknown as Foundation,
    {
      connections: { find: () => owned } as unknown as Connections,
      onQuote: () => undefined,
      onBalances: () => undefined,
      elapsed: Date.now,
    },
  );
  values.board.need(ACCOUNT, "held", [ES]);
  values.start(new Lifecycle());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveBeenCalledOnce();
  tell?.(quoteHeardAt(1, { bid: ticks(5) }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown).toEqual([quoteHeardAt(1, { bid: ticks(5) })]);
  values.board.need(OTHER, "held", [ES]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.mock.calls).toEqual([[ACCOUNT], [OTHER]]);
});

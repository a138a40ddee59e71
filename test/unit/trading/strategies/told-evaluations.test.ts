import { expect, test } from "vitest";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import {
  accountId,
  connectionId,
  credentialId,
  intentId,
  strategyId,
  userId,
} from "../../../../src/domain/ids.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { errors } from "../../../../src/errors.ts";
import { createEvaluateStrategy } from "../../../../src/trading/strategies/evaluate-strategy.ts";
import type { LoggedEvaluation } from "../../../../src/trading/strategies/ports.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";

const STRATEGY: Strategy = {
  strategyId: strategyId("st_a"),
  userId: userId("user_1"),
  version: 1,
  name: "Rising bars",
  accountId: accountId("paper-1"),
  symbol: "NQ",
  barMinutes: 5,
  barCount: 200,
  indicators: {},
  conditions: { enterLong: "close[0] > open[0]" },
  qty: 1,
  mode: "trade",
  enabled: true,
  createdAt: 1_700_000_000_000,
  changedAt: 1_700_000_000_000,
};

const CALLER: Caller = {
  userId: STRATEGY.userId,
  credentialId: credentialId("key_1"),
  scopes: ["trade"],
  receivedAt: 1_790_000_000_000,
  requestId: "r-1",
};

test("a decision that could not be sent for want of a connection is told as the log has it", async () => {
  const told: LoggedEvaluation[] = [];
  const logged: unknown[] = [];
  const evaluate = createEvaluateStrategy({
    strategies: { find: async () => STRATEGY },
    log: { open: async () => true, end: async (one) => logged.push(one) > 0 },
    compute: async (_, evaluation) => ({ ...evaluation, verdict: "enterLong", targetQty: 1 }),
    contracts: createContractDirectory({ products, holidays, closures }),
    accounts: {
      requireActive: async () => ({
        userId: STRATEGY.userId,
        accountId: STRATEGY.accountId,
        connectionId: connectionId("paper"),
        name: "Paper 1",
        broker: "paper",
        environment: "demo",
        currency: "USD",
        active: true,
      }),
    },
    requireConnection: (connection) => {
      throw errors.brokerUnavailable(undefined, connection);
    },
    answer: async () => {
      throw new Error("Nothing is to be sent");
    },
    newIntentId: () => intentId("i-1"),
    observer: { evaluated: (_, evaluation) => void told.push(evaluation) },
    elapsed: () => 0,
  });

  await expect(evaluate(CALLER, STRATEGY.strategyId, {})).rejects.toMatchObject({
    spec: { code: "BROKER_UNAVAILABLE" },
  });
  const ended = { evaluationId: "i-1", verdict: "enterLong", outcome: { kind: "notSent" } };
  expect(logged).toMatchObject([ended]);
  expect(told).toMatchObject([ended]);
});

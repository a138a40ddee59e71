import { hash } from "node:crypto";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { Bar } from "../../../../src/domain/strategies/bar.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import {
  type AccountId,
  accountId,
  connectionId,
  credentialId,
  intentId,
  strategyId,
  userId,
} from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { createStrategyEngine } from "../../../../src/evaluation/strategy-engine.ts";
import { createTurns } from "../../../../src/evaluation/take-turns.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { BrokerPosition, BrokerReads } from "../../../../src/trading/ports.ts";
import {
  type ComputeDecision,
  createComputeDecision,
} from "../../../../src/trading/strategies/compute-decision.ts";
import type { Evaluation, StrategyEngine } from "../../../../src/trading/strategies/ports.ts";
import type { BarTicket } from "../../../../src/trading/strategies/strategy-requests.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";
import type { AccountViews } from "../../../../src/trading/reads/ports.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

/** One strategy, its bars and its account in plain values; a test names only what it is about. */

export const contracts = createContractDirectory({ products, holidays, closures });
const { check, compute, series } = createStrategyEngine();
/** As the gateway has it, on this thread. */
export const engine: StrategyEngine = {
  check,
  compute: async (...args) => compute(...args),
  series: async (...args) => series(...args),
};

export const MINUTE_MS = 60_000;
/** A Friday, 9:00 in Chicago; a bar of 5 minutes ends then. */
export const NOW = Date.parse("2026-11-20T15:00:00Z");
export const OWNER = userId("user_1");
export const STRANGER = userId("user_2");
export const ACCOUNT = accountId("paper-1");
export const OTHER_ACCOUNT = accountId("paper-2");
export const CONNECTION = connectionId("paper");
export const ID = strategyId("st_1");
export const OTHER_ID = strategyId("st_2");
export const NQ = "NQZ2026" as ContractCode;
export const NQ_NEXT = "NQH2027" as ContractCode;
export const ES = "ESZ2026" as ContractCode;

export const caller: Caller = {
  userId: OWNER,
  credentialId: credentialId("key_1"),
  scopes: ["read", "trade"],
  receivedAt: NOW,
  requestId: "r_1",
};
export const stranger: Caller = { ...caller, userId: STRANGER };

export const SCHEDULE = { cron: "* * * * *", timeZone: "America/Chicago" };

/** Long above its average of three bars, out below it; it trades, when it is asked. */
export function strategy(change: Partial<Strategy> = {}): Strategy {
  return {
    strategyId: ID,
    userId: OWNER,
    version: 1,
    createdAt: NOW - 86_400_000,
    changedAt: NOW - 86_400_000,
    name: "Above its average",
    accountId: ACCOUNT,
    symbol: "NQ",
    barMinutes: 5,
    barCount: 20,
    indicators: { average: { type: "sma", period: 3 } },
    conditions: { enterLong: "close[0] > average[0]", exitLong: "close[0] < average[0]" },
    qty: 2,
    mode: "trade",
    enabled: true,
    ...change,
  };
}

export function evaluation(change: Partial<Evaluation> = {}): Evaluation {
  return {
    evaluationId: intentId("i1"),
    strategyId: ID,
    userId: OWNER,
    accountId: ACCOUNT,
    version: 1,
    trigger: "request",
    openedAt: NOW,
    ...change,
  };
}

/** Bars of 5 minutes that trade at one price each, the newest of which ends at `endAt`. */
export function barsAt(prices: readonly number[], endAt = NOW): readonly Bar[] {
  return prices.map((price, n) => {
    const at = ticks(price * 4);
    const startsAt = endAt - (prices.length - n) * 5 * MINUTE_MS;
    return { startsAt, open: at, high: at, low: at, close: at, volume: 10 };
  });
}

export const RISING = barsAt([20_000, 20_001, 20_002, 20_003]);
export const FALLING = barsAt([20_003, 20_002, 20_001, 20_000]);

/** The same bars as a caller would write them. */
export function ticketsOf(bars: readonly Bar[]): readonly BarTicket[] {
  return bars.map(({ open, high, low, close, ...rest }) => ({
    ...rest,
    open: open / 4,
    high: (high / 4).toFixed(2),
    low: low / 4,
    close: (close / 4).toFixed(2),
  }));
}

export function stored(
  id: AccountId = ACCOUNT,
  change: Partial<StoredAccount> = {},
): StoredAccount {
  return {
    accountId: id,
    userId: OWNER,
    name: id,
    connectionId: CONNECTION,
    broker: "paper",
    environment: "demo",
    currency: "USD",
    active: true,
    ...change,
  };
}

export const position = (
  contract: ContractCode,
  netQty: number,
  price = 20_000,
): BrokerPosition => ({
  contract,
  netQty,
  avgPx: { numerator: price * 4 * Math.abs(netQty), denominator: Math.abs(netQty) },
});

/** A directory of accounts as they were reported. */
export async function accountsOf(known: readonly StoredAccount[]): Promise<AccountDirectory> {
  const views: Pick<AccountViews, "accounts"> = { accounts: async () => known };
  const accounts = new AccountDirectory({ views: views as AccountViews, now: () => NOW });
  await accounts.load();
  return accounts;
}

/** What an account's broker tells, and holds, as a test sets it. */
export class BrokerInHand {
  /** Undefined: it tells no bars. */
  told: readonly Bar[] | undefined = RISING;
  held: readonly BrokerPosition[] = [];
  /** Thrown when it is asked for bars. */
  fault: Error | undefined;
  readonly asked: Parameters<BrokerReads["bars"]>[] = [];

  readonly bars: BrokerReads["bars"] = async (...request) => {
    this.asked.push(request);
    if (this.fault !== undefined) throw this.fault;
    return this.told?.slice(-request[2].count);
  };

  readonly positions: AccountViews["positions"] = async () => ({ value: this.held, asOf: NOW });
}

export const sha256 = (text: string): string => hash("sha256", text, "hex");

/** The real computing, on a broker in our hand; each run of it takes 7 ms. */
export async function openCompute(
  broker: BrokerInHand,
  known: readonly StoredAccount[] = [stored()],
): Promise<ComputeDecision> {
  let elapsed = 0;
  return createComputeDecision({
    engine,
    turn: createTurns(),
    contracts,
    accounts: await accountsOf(known),
    reads: broker,
    views: broker,
    fingerprint: sha256,
    elapsed: () => (elapsed += 7),
  });
}

/** The error of the API that it is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    (value) => new Error(`It was not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof GatewayError) return error;
  throw error;
}

export const pathsOf = ({ details }: GatewayError): readonly string[] =>
  details.map(({ path }) => path);

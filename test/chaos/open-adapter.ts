import { equityIndex } from "../../config/contracts/equity-index.ts";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import { createProjectXAdapter } from "../../src/brokers/projectx/adapter.ts";
import { createTradovateAdapter } from "../../src/brokers/tradovate/adapter.ts";
import { connectionId } from "../../src/domain/ids.ts";
import type { Logger } from "../../src/observability/logger.ts";
import type { BarsRequest, PriceSource } from "../../src/trading/money/ports.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";
import type { BrokerName, BrokerPlace } from "./crash-points.ts";
import { madeUpBars } from "./made-up-bars.ts";
import { watchMadeUp } from "./made-up-prices.ts";

interface Opening {
  readonly mayWrite: () => boolean;
  readonly log: Logger;
}

const CONTRACTS = {
  product: (root: string) => equityIndex.find((product) => product.root === root),
};
/** A run asks in a minute what a day does; the budget's own tests say when it ends. */
const LIMITS = { perHour: 1_000_000, perMinute: 1_000_000 };
const HOST = "127.0.0.1";

/** The adapter of one connection, as the gateway's own; its prices are made up: neither broker's market moves by itself. */
export function openAdapter(place: BrokerPlace, opening: Opening): BrokerAdapter {
  return Object.assign(ADAPTERS[place.broker](place, opening), {
    prices: {
      missing: () => undefined,
      watch: (contract, listener) => watchMadeUp(contract, listener, Date.now),
      bars: (request: BarsRequest) => Promise.resolve(madeUpBars(request, Date.now())),
    } satisfies PriceSource,
  });
}

type Open = (place: BrokerPlace, opening: Opening) => BrokerAdapter;

const ADAPTERS: Readonly<Record<BrokerName, Open>> = {
  exchange: ({ connectionId: name, port, accounts }, { mayWrite }) =>
    createExchangeAdapter({
      connectionId: connectionId(name),
      url: `ws://${HOST}:${port}`,
      accounts,
      beforeWrite: mayWrite,
    }),
  tradovate: ({ connectionId: name, port }, { mayWrite, log }) =>
    createTradovateAdapter({
      connectionId: connectionId(name),
      settings: {
        environment: "demo",
        name,
        password: "any",
        appId: "alert-gateway",
        appVersion: "1.0",
        cid: "1",
        sec: "any",
        restUrl: `http://${HOST}:${port}/v1`,
        wsUrl: `ws://${HOST}:${port}/v1/websocket`,
      },
      deviceId: `device-${name}`,
      contracts: CONTRACTS,
      limits: LIMITS,
      now: Date.now,
      mayWrite,
      observer: {
        differs: (symbol, { field, ours, theirs }) =>
          log.warn("Contract data differ", { symbol, reason: `${field} ${ours} ${theirs}` }),
        legTrouble: (accountId, { entry: orderId, reason }) =>
          log.error("Exits are not as asked for", { accountId, orderId, reason }),
        feedTrouble: (reason) =>
          log.error("The broker's feed cannot be relied on", { connectionId: name, reason }),
        trouble: (error) => log.warn("Trouble with the broker", { connectionId: name, error }),
      },
    }),
  projectx: ({ connectionId: name, port }, { mayWrite, log }) =>
    createProjectXAdapter({
      connectionId: connectionId(name),
      environment: "demo",
      hosts: { api: `http://${HOST}:${port}`, rtc: `http://${HOST}:${port}` },
      userName: name,
      apiKey: "any",
      contracts: CONTRACTS,
      limit: { most: LIMITS.perMinute, withinMs: 60_000 },
      barsLimit: { most: LIMITS.perMinute, withinMs: 60_000 },
      now: Date.now,
      mayWrite,
      observer: {
        differs: (symbol, { field, ours, theirs }) =>
          log.warn("Contract data differ", { symbol, reason: `${field} ${ours} ${theirs}` }),
        legTrouble: (accountId, { entry: orderId, reason }) =>
          log.error("Exits are not as asked for", { accountId, orderId, reason }),
        trouble: (error) => log.warn("Trouble with the broker", { connectionId: name, error }),
      },
    }),
};

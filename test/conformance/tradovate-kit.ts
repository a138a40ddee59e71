import { LACKS_NOTHING } from "../../src/domain/broker-lacks.ts";
import assert from "node:assert/strict";
import { equityIndex } from "../../config/contracts/equity-index.ts";
import {
  createTradovateAdapter,
  type TradovateAdapterDeps,
} from "../../src/brokers/tradovate/adapter.ts";
import type { OrderNames } from "../../src/trading/ports.ts";
import type { TradovateSettings } from "../../src/brokers/tradovate/config.ts";
import type { ContractTerms } from "../../src/brokers/tradovate/contract-desk.ts";
import { type ContractCode, MONTH_CODES } from "../../src/domain/contracts/contract.ts";
import { type AccountId, accountId, type ClOrdId, connectionId } from "../../src/domain/ids.ts";
import type { Settings } from "../simulators/tradovate/settings.ts";
import type { TradovateSimulator } from "../simulators/tradovate/start.ts";
import type { BrokerUnderTest } from "./broker-under-test.ts";

/** What Tradovate can do by itself, as far as its documents say. */
export const TRADOVATE_CAPABILITIES = {
  nativeBracket: true,
  nativeOco: true,
  cancelEndsLinkedLeg: true,
  trailsFromMarket: false,
  keepsHours: true,
  refusesDuplicates: false,
  lacks: LACKS_NOTHING,
};

/** A broker under test of which its own cases know a little more. */
export interface TradovateUnderTest extends BrokerUnderTest {
  /** The name that logs in. */
  readonly user: string;
  /** What the adapter told its observer. */
  readonly told: readonly string[];
}

export interface KitDeps extends Partial<TradovateAdapterDeps> {
  /** What the settings are instead of the usual ones. */
  readonly change?: (usual: TradovateSettings) => TradovateSettings;
}

/** The contracts that orders of the suite are for. */
export const TERMS: ContractTerms = {
  product: (root) => equityIndex.find((product) => product.root === root),
};

/** Far above what the suite asks in a minute: it asks without a pause. */
const LIMITS = { perHour: 1_000_000, perMinute: 1_000_000 };
/** One digit of a year tells ten apart, of which one is over. */
const YEARS = 9;
const FIRST_YEAR = 2026;

let cases = 0;

/**
 * One broker process serves all cases. Each has a user with two accounts and contracts of its own,
 * so that what an earlier one left working takes nothing from it.
 */
export async function createTradovateOn(
  { control, url, wsUrl, mdUrl }: TradovateSimulator,
  { change = (usual) => usual, ...deps }: KitDeps = {},
  behaviour: Partial<Settings> = {},
): Promise<TradovateUnderTest> {
  cases += 1;
  const numberOfCase = cases;
  const user = `trader${cases}`;
  const connection = connectionId(`tv-${cases}`);
  await control({ knob: "set", user, endpointLimits: {}, userLimit: {}, ...behaviour });
  const [first, second] = await accountsOf(url, user);
  const settings = change(settingsOf({ name: user, restUrl: url, wsUrl, mdUrl }));
  const told: string[] = [];
  const names = namesInMemory();
  const start = () =>
    createTradovateAdapter({
      connectionId: connection,
      settings,
      deviceId: `device-${user}`,
      contracts: TERMS,
      now: Date.now,
      limits: LIMITS,
      names,
      observer: {
        differs: (contract, { field, ours, theirs }) =>
          told.push(`${contract} ${field} ${ours} ${theirs}`),
        legTrouble: (_account, { entry, reason }) => told.push(`${entry} ${reason}`),
        feedTrouble: (reason) => told.push(reason),
        trouble: (error) => told.push(String(error)),
      },
      ...deps,
    });
  const nameOf = (account: AccountId) =>
    `${user}-${account === accountId(`${connection}-${first}`) ? 1 : 2}`;
  return {
    user,
    told,
    adapter: start(),
    account: accountId(`${connection}-${first}`),
    otherAccount: accountId(`${connection}-${second}`),
    contract: contractOf("ES", numberOfCase),
    otherContract: contractOf("NQ", numberOfCase),
    closedContract: contractOf("RTY", numberOfCase),
    unknownContract: contractOf("XX", numberOfCase),
    setMarket: async (contract, market) => {
      await control({ knob: "quote", contract, ...market });
    },
    setBars: async (contract, minutes, bars) => {
      await control({ knob: "bars", contract, minutes, bars, lastIsOpen: true });
      // The simulator makes bars of what nobody has set.
      const others = [contractOf("NQ", numberOfCase), contractOf("RTY", numberOfCase)];
      for (const other of others) {
        await control({ knob: "bars", contract: other, minutes, bars: [] });
      }
    },
    tellsQuotes: true,
    money: {
      currency: "USD",
      tickValue: contractOf("ES", numberOfCase).startsWith("MES") ? "1.25" : "12.50",
      feePerSide: String(behaviour.commission ?? 0),
      tells: [
        "cash",
        "netLiquidation",
        "realizedPnl",
        "openPnl",
        "initialMargin",
        "maintenanceMargin",
        "marginExcess",
      ],
      valuesAtLast: true,
      tellsFeeOfFill: true,
    },
    breakSession: async () => {
      await control({ knob: "closeSockets", user });
    },
    loseNextAnswer: async (isCarriedOut) => {
      await control({ knob: "loseNextAnswer", user, isCarriedOut });
    },
    setActive: async (account, isActive) => {
      await control({ knob: "active", account: nameOf(account), isActive });
    },
    restart: start,
  };
}

export function settingsOf(
  given: Pick<TradovateSettings, "name"> & Partial<TradovateSettings>,
): TradovateSettings {
  return {
    environment: "demo",
    password: "any",
    appId: "alert-gateway",
    appVersion: "1.0",
    cid: "1",
    sec: "any",
    ...given,
  };
}

/** The broker's numbers of the user's accounts, asked as any client would. */
async function accountsOf(url: string, name: string): Promise<readonly number[]> {
  const login = (await ask(`${url}/auth/accesstokenrequest`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settingsOf({ name })),
  })) as { readonly accessToken: string };
  const accounts = (await ask(`${url}/account/list`, {
    headers: { authorization: `Bearer ${login.accessToken}` },
  })) as readonly { readonly id: number; readonly name: string }[];
  const ids = [...accounts].sort((a, b) => a.name.localeCompare(b.name)).map(({ id }) => id);
  assert(ids.length >= 2, `the user ${name} has two accounts`);
  return ids;
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  assert(response.ok, `${url} answers ${response.status}`);
  return await response.json();
}

/** Every month in turn: as many as one digit of a year can tell apart, and then of the small contract. */
function contractOf(root: string, n: number): ContractCode {
  const { length } = MONTH_CODES;
  const month = MONTH_CODES.charAt(n % length);
  const year = FIRST_YEAR + (Math.trunc(n / length) % YEARS);
  const isSmall = Math.trunc(n / length / YEARS) % 2 === 1;
  return `${isSmall ? (SMALL[root] ?? root) : root}${month}${year}` as ContractCode;
}

const SMALL: Readonly<Record<string, string>> = { ES: "MES", NQ: "MNQ" };

/** As the store keeps them. */
export function namesInMemory(): OrderNames & { readonly kept: ReadonlyMap<string, ClOrdId> } {
  const kept = new Map<string, ClOrdId>();
  return {
    kept,
    find: async (account, orders) => {
      const known = orders.map((order) => [order, kept.get(`${account} ${order}`)] as const);
      return new Map(known.flatMap(([order, name]) => (name === undefined ? [] : [[order, name]])));
    },
    keep: async (account, order, name) => void kept.set(`${account} ${order}`, name),
    drop: async (account, order) => void kept.delete(`${account} ${order}`),
  };
}

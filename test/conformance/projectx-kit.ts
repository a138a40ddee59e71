import assert from "node:assert/strict";
import { equityIndex } from "../../config/contracts/equity-index.ts";
import type { BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import type { AdapterMemory } from "../../src/brokers/broker-kind.ts";
import {
  createProjectXAdapter,
  type ProjectXAdapterDeps,
} from "../../src/brokers/projectx/adapter.ts";
import { type ContractCode, MONTH_CODES } from "../../src/domain/contracts/contract.ts";
import { type AccountId, accountId, connectionId } from "../../src/domain/ids.ts";
import type { Settings } from "../simulators/projectx/settings.ts";
import type { ProjectXSimulator } from "../simulators/projectx/start.ts";
import { expect } from "vitest";
import type { BrokerUnderTest } from "./broker-under-test.ts";

/** Whatever the words are. */
const inWords = (): string => expect.stringMatching(/^ProjectX takes /) as string;

/** What ProjectX can do by itself, as far as its documents say. */
export const PROJECTX_CAPABILITIES: BrokerCapabilities = {
  nativeBracket: true,
  nativeOco: false,
  cancelEndsLinkedLeg: false,
  trailsFromMarket: false,
  keepsHours: true,
  refusesDuplicates: true,
  lacks: {
    ordTypes: { STOP_LIMIT: inWords(), TRAILING_STOP: inWords() },
    timesInForce: { IOC: inWords(), FOK: inWords() },
  },
};

/** A broker under test of which its own cases know a little more. */
export interface ProjectXUnderTest extends BrokerUnderTest {
  /** The name that logs in. */
  readonly user: string;
  /** What the adapter told its observer. */
  readonly told: readonly string[];
}

/** Far above what the suite asks in a minute: it asks without a pause. */
const MANY = 1_000_000;
/** One digit of a year tells ten apart, of which one is over. */
const YEARS = 9;
const FIRST_YEAR = 2026;

let cases = 0;

/**
 * One broker process serves all cases. Each has a user with two accounts and contracts of its own,
 * so that what an earlier one left working takes nothing from it.
 */
export async function createProjectXOn(
  { control, url, rtcUrl }: ProjectXSimulator,
  deps: Partial<ProjectXAdapterDeps> = {},
  behaviour: Partial<Settings> = {},
): Promise<ProjectXUnderTest> {
  cases += 1;
  const numberOfCase = cases;
  const user = `trader${cases}`;
  const connection = connectionId(`px-${cases}`);
  const limits = { requestsPerMinute: MANY, barsPerHalfMinute: MANY };
  await control({ knob: "set", user, ...limits, ...behaviour });
  const made = await control({ knob: "user", name: user, apiKey: "key", accounts: 2 });
  const [first, second] = accountsOf(made);
  const told: string[] = [];
  const memory = memoryOf();
  const start = () =>
    createProjectXAdapter({
      connectionId: connection,
      environment: "demo",
      hosts: { api: url, rtc: rtcUrl },
      userName: user,
      apiKey: "key",
      contracts: { product: (root) => equityIndex.find((product) => product.root === root) },
      now: Date.now,
      limit: { most: MANY, withinMs: 60_000 },
      barsLimit: { most: MANY, withinMs: 60_000 },
      memory,
      observer: {
        differs: (contract, { field, ours, theirs }) =>
          told.push(`${contract} ${field} ${ours} ${theirs}`),
        legTrouble: (_account, { entry, reason }) => told.push(`${entry} ${reason}`),
        trouble: (error) => told.push(String(error)),
      },
      ...deps,
    });
  const numberOf = (account: AccountId) =>
    account === accountId(`${connection}-${first}`) ? first : second;
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
      feePerSide: behaviour.feePerSide ?? "0",
      tells: ["cash"],
      tellsFeeOfFill: true,
    },
    ways: {
      linksLegs: true,
      reusesLegs: behaviour.usedUpChildren === "wait",
      triggersPassedLegs: false,
      tellsTimeInForce: false,
      tellsInOrder: tellsInOrder(behaviour),
    },
    breakSession: async () => {
      await control({ knob: "closeHubs", user });
    },
    loseNextAnswer: async (isCarriedOut) => {
      await control({ knob: "loseNextAnswer", user, isCarriedOut });
    },
    setActive: async (account, isActive) => {
      await control({ knob: "account", account: numberOf(account), canTrade: isActive });
    },
    restart: start,
  };
}

/** Whether nothing that is told is late for what comes after it. */
function tellsInOrder({ reversesEvents, kindDelayMs, tellsChildren }: Partial<Settings>): boolean {
  const hasLate = (kindDelayMs?.order ?? 0) > 0 || (kindDelayMs?.trade ?? 0) > 0;
  return reversesEvents !== true && !hasLate && (tellsChildren ?? "waiting") === "waiting";
}

function accountsOf(made: Readonly<Record<string, unknown>>): readonly [number, number] {
  const { accounts } = made as { readonly accounts: readonly { readonly id: number }[] };
  const [first, second] = accounts.map(({ id }) => id);
  assert(first !== undefined && second !== undefined, "the user has two accounts");
  return [first, second];
}

/** As the store keeps it: what the next adapter goes on from. */
export function memoryOf(): AdapterMemory {
  let kept: string | undefined;
  return {
    load: async () => kept,
    save: async (text) => {
      kept = text;
    },
  };
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

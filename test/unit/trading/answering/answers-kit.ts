import { setTimeout as sleep } from "node:timers/promises";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import type { DestinationId } from "../../../../src/domain/notify/destination.ts";
import { BotAnswers, type BotAnswersDeps } from "../../../../src/trading/answering/answer-bot.ts";
import type { AnswerStore, BotId } from "../../../../src/trading/answering/ports.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import type { Settled } from "../../../../src/trading/orders/order-uses.ts";
import type { StoredDestination } from "../../../../src/trading/notify/destination-store.ts";
import type { Holding } from "../../../../src/trading/reads/read-holdings.ts";

export const USER = userId("u_1");

export const account = (id: string, changed: Partial<StoredAccount> = {}): StoredAccount => ({
  accountId: accountId(id),
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  connectionId: connectionId("paper"),
  broker: "paper",
  environment: "demo",
  active: true,
  userId: USER,
  ...changed,
});

export const holding = (
  of: StoredAccount,
  contract: string,
  netQty: number,
  changed: Partial<Holding> = {},
): Holding => ({
  account: of,
  position: { contract: contract as ContractCode, netQty },
  asOf: 0,
  live: true,
  noted: [],
  protection: { kind: "protected" },
  exits: undefined,
  ...changed,
});

export const destinationOf = (person: number, id = "ds_1"): StoredDestination => ({
  destination: {
    id: id as DestinationId,
    userId: USER,
    name: "Phone",
    kind: "telegram",
    rules: [],
    answers: true,
    createdAt: 1,
  },
  settings: { chatId: String(person) },
  secrets: [],
  person: String(person),
});

export interface AnswersKit {
  readonly answers: BotAnswers;
  readonly destinations: StoredDestination[];
  readonly accounts: StoredAccount[];
  /** The calls that were made, by what they were about. */
  readonly flattened: string[];
  readonly switched: object[];
  readonly keys: (string | undefined)[];
  readonly ignored: { count: number };
  /** What account "one" holds from now on. */
  readonly hold: (held: Readonly<Record<string, number>>) => void;
  /** No flatten ends before `end`; answers once one was asked for. */
  readonly neverEnd: () => Promise<void>;
  readonly end: () => void;
  readonly gateway: {
    -readonly [Use in keyof BotAnswersDeps["gateway"]]: BotAnswersDeps["gateway"][Use];
  };
  readonly views: { positions: BotAnswersDeps["views"]["positions"] };
  /** What is held, of any account. */
  readonly positions: Holding[];
  readonly clock: { now: () => number };
}

/** What answers, on a gateway that is written down here. */
export function createAnswersKit({
  store,
  bot,
  person,
}: {
  readonly store: AnswerStore;
  readonly bot: BotId;
  readonly person: number;
}): AnswersKit {
  const accounts = [account("one")];
  const destinations = [destinationOf(person)];
  const [flattened, switched]: [string[], object[]] = [[], []];
  const keys: (string | undefined)[] = [];
  const ignored = { count: 0 };
  const clock = { now: () => Date.now() };
  const held: Holding[] = [];
  let onFlatten = async (): Promise<void> => undefined;
  let nonces = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const gateway: AnswersKit["gateway"] = {
    listConnections: async () => [],
    listAlerts: async () => ({ items: [], nextCursor: undefined }) as never,
    readAllMoney: async () => [],
    readWorkingOrders: async () => [],
    readPositions: async (_, id) => ({
      value: held.filter((one) => one.account.accountId === id),
      asOf: 0,
      live: true,
    }),
    readStanding: async () => ({
      asOf: clock.now(),
      connections: { total: 1, connected: 1 },
      killSwitch: { active: false, accounts: 0 },
      unknownOutcomes: 0,
      unprotectedPositions: 0,
      holdings: held,
      waiting: 0,
      troubles: [],
      unseen: [],
    }),
    flattenAccount: async (_, id, __, once) => {
      flattened.push(id);
      keys.push(once?.key);
      await onFlatten();
      const result = {
        kind: "FLATTEN",
        closed: held.map(({ position }) => ({ ...position, orderId: "1" })),
        canceledOrderIds: [],
        remaining: [],
        remainingOrderIds: [],
        problems: [],
      };
      return {
        record: { outcome: { kind: "done", result } },
        replayed: false,
      } as unknown as Settled;
    },
    changeKillSwitch: async (_, change) => {
      switched.push(change);
      return { active: true, accounts: [] };
    },
  };
  const views: AnswersKit["views"] = {
    positions: async (id) => ({
      value: held.flatMap(({ account: of, position }) => (of.accountId === id ? [position] : [])),
      asOf: 0,
    }),
  };
  const answers = new BotAnswers({
    gateway,
    views,
    describe: (code) => ({
      symbol: code,
      tickSize: "0.25",
      tickValue: "12.50",
      currency: "USD",
    }),
    destinations: {
      all: async () => destinations,
      change: async (id, how) => {
        const at = destinations.findIndex(({ destination }) => destination.id === id);
        const before = destinations[at];
        if (before === undefined) return undefined;
        destinations[at] = how(before) ?? before;
        return destinations[at];
      },
    },
    accounts: { of: () => accounts, refresh: async () => undefined },
    secrets: { seal: async (_, __, text) => text },
    ring: async () => undefined,
    store,
    botOf: async () => bot,
    now: async () => clock.now(),
    pause: async (ms) => await sleep(ms / 100),
    newNonce: () => {
      nonces += 1;
      return `nonce-${String(nonces).padStart(12, "0")}-${Math.random().toString(36).slice(2, 12)}`;
    },
    isHashOf: (code, hash) => `hash of ${code}` === hash,
    audit: () => undefined,
    observer: {
      ignored: () => (ignored.count += 1),
      linked: () => undefined,
      failed: () => undefined,
    },
  });
  return {
    answers,
    destinations,
    accounts,
    flattened,
    switched,
    keys,
    ignored,
    gateway,
    views,
    positions: held,
    clock,
    hold: (positions) => {
      const of = accounts[0] ?? account("one");
      const now = Object.entries(positions).map(([code, netQty]) => holding(of, code, netQty));
      held.splice(0, held.length, ...now);
    },
    end,
    neverEnd: async () =>
      await new Promise<void>((asked) => {
        onFlatten = async () => {
          asked();
          await ended;
        };
      }),
  };
}

import type { Bar } from "../../domain/strategies/bar.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { GuardAlarm } from "../alarms/guard-alarms.ts";
import type { PlanAlarm } from "../alarms/plan-alarms.ts";
import type { AccountDirectory } from "./account-directory.ts";
import { connectedOf, type SessionOf } from "../lane/connected.ts";
import { type LaneObserver, reportIfChanged } from "../lane/run-intent.ts";
import type { UnknownSettler } from "../lane/settle/settle-unknown.ts";
import type { BarsRequest, BrokerBalance, BrokerGuards, ValueSource } from "../money/ports.ts";
import {
  type BrokerPosition,
  type BrokerQuestion,
  BrokerReadError,
  type BrokerReads,
  type Connections,
  type DriftedFollower,
  type OwnerDesk,
  type OwnersTroubles,
} from "../ports.ts";
import type { WorkingOrder } from "../../domain/order.ts";
import { accountsOutOfStep } from "../lane/reconcile/out-of-step.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { StoredAccount } from "./ports.ts";

interface BrokerDeskDeps {
  readonly desk: OwnerDesk;
  /** Absent in a process that owns no connections. */
  readonly works: OwnedWorks | undefined;
  readonly accounts: AccountDirectory;
}

/** What a process that owns connections answers questions from. */
export interface OwnedWorks {
  readonly connections: Connections;
  readonly settler: UnknownSettler;
  readonly intents: IntentStore;
  readonly sessionOf: SessionOf;
  readonly observer: Pick<LaneObserver, "intentSettled" | "intentStillOpen">;
  /** Followers that need a person, of the leaders whose connections are held here. */
  readonly drifted: () => readonly DriftedFollower[];
  /** What guards have come to, of the accounts that are judged here. */
  readonly guardAlarms: () => readonly GuardAlarm[];
  /** Exit plans that cannot go on, of the accounts that are worked here. */
  readonly planAlarms: () => readonly PlanAlarm[];
}

/** Reads by whoever owns the connection: this process at once, another one over its desk. */
export interface BrokerDesk extends BrokerReads {
  /** Looks an unknown or lost outcome up. Throws `BrokerReadError` if the broker cannot be asked. */
  readonly settleNow: (record: IntentRecord) => Promise<IntentRecord>;
  /** What needs a person. Throws `BrokerReadError` when the owner does not answer. */
  readonly troublesOf: (connection: ConnectionId) => Promise<OwnersTroubles>;
}

export function createBrokerDesk({ desk, works, accounts }: BrokerDeskDeps): BrokerDesk {
  async function ask(connection: ConnectionId, question: BrokerQuestion): Promise<unknown> {
    const isHere = works?.connections.find(connection)?.ownership.isOwned() === true;
    return isHere
      ? await answerQuestion(question, { ...works, accounts })
      : await desk.ask(connection, question);
  }

  return {
    positions: async (connection, account, by) => {
      const question = { kind: "positions", account, ...(by && { by }) } as const;
      return (await ask(connection, question)) as readonly BrokerPosition[];
    },
    workingOrders: async (connection, account, by) => {
      const question = { kind: "workingOrders", account, ...(by && { by }) } as const;
      return (await ask(connection, question)) as readonly WorkingOrder[];
    },
    bars: async (connection, account, { contract, minutes, count }) => {
      const question = { kind: "bars", account, contract, minutes, count } as const;
      return ((await ask(connection, question)) as readonly Bar[] | null) ?? undefined;
    },
    balances: async (connection, account) =>
      ((await ask(connection, { kind: "balances", account })) as readonly BrokerBalance[] | null) ??
      [],
    brokerGuards: async (connection, account) => {
      const told = await ask(connection, { kind: "brokerGuards", account });
      return (told as BrokerGuards | null) ?? undefined;
    },
    settleNow: async (record) => {
      const { accountId: account, intentId: intent } = record;
      const connection = accounts.find(account)?.connectionId;
      if (connection === undefined) return record;
      return (await ask(connection, { kind: "settle", account, intent })) as IntentRecord;
    },
    troublesOf: async (connection) =>
      (await ask(connection, { kind: "troubles", connection })) as OwnersTroubles,
  };
}

/** The owner's side. Throws `BrokerReadError` when the connection is not up here. */
export async function answerQuestion(
  question: BrokerQuestion,
  works: OwnedWorks & { readonly accounts: AccountDirectory },
): Promise<unknown> {
  const { settler, intents, observer } = works;
  if (question.kind === "troubles") return troublesOn(question.connection, works);
  const { account } = question;
  const owned = connectedOf(account, works);
  if (owned === undefined) throw new BrokerReadError("The broker connection is not up");
  const { broker } = owned;
  switch (question.kind) {
    case "positions":
      return await broker.positions(account, question.by);
    case "workingOrders":
      return await broker.workingOrders(account, question.by);
    case "bars":
      return await barsOf(account, question, works);
    case "balances":
      return (await sourceOf(account, works).balances?.(account)) ?? null;
    case "brokerGuards":
      return (await sourceOf(account, works).brokerGuards?.(account)) ?? null;
    case "settle": {
      const record = await intents.find(account, question.intent);
      if (record === undefined) throw new BrokerReadError("The intent is gone");
      if (record.state !== "LOST" && record.state !== "UNKNOWN") return record;
      const isLost = record.state === "LOST";
      const found = await (isLost
        ? settler.lookAgain(record, broker)
        : settler.settle(record, broker));
      // Doubts about a lost one are not stored.
      if (!isLost || found.state !== "UNKNOWN") reportIfChanged(observer, record, found);
      return found;
    }
  }
}

async function barsOf(
  account: AccountId,
  { contract, minutes, count }: BarsRequest,
  works: Pick<OwnedWorks, "connections"> & Pick<BrokerDeskDeps, "accounts">,
): Promise<readonly Bar[] | null> {
  return (await sourceOf(account, works).prices?.bars({ contract, minutes, count })) ?? null;
}

/** Asked past the lanes' own broker: what things are worth is nothing that a lane needs. */
function sourceOf(
  account: AccountId,
  { connections, accounts }: Pick<OwnedWorks, "connections"> & Pick<BrokerDeskDeps, "accounts">,
): ValueSource {
  const stored = accounts.find(account);
  const broker = stored && connections.find(stored.connectionId)?.broker;
  if (broker === undefined) throw new BrokerReadError("The broker connection is not up");
  return broker;
}

function troublesOn(
  connection: ConnectionId,
  works: OwnedWorks & { readonly accounts: AccountDirectory },
): OwnersTroubles {
  const { accounts, drifted, guardAlarms, planAlarms, connections } = works;
  const entriesHeld = connections.find(connection)?.entriesHeld;
  const isAsked = (one: StoredAccount) => one.connectionId === connection;
  const isOn = (account: AccountId) => accounts.find(account)?.connectionId === connection;
  return {
    outOfStep: accountsOutOfStep([...accounts.all()].filter(isAsked), works),
    unread: connections.find(connection)?.broker.unread() ?? [],
    astray: drifted().filter(({ leader }) => isOn(leader)),
    guards: guardAlarms().filter(({ accountId }) => isOn(accountId)),
    plans: planAlarms().filter(({ accountId }) => isOn(accountId)),
    ...(entriesHeld !== undefined && { entriesHeld }),
  };
}

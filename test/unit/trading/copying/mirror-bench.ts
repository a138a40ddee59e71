import type { CopyGroup } from "../../../../src/domain/copying/copy-group.ts";
import type { AccountOrders, Mirror } from "../../../../src/domain/copying/copy-mirror.ts";
import { type AccountId, connectionId, intentId } from "../../../../src/domain/ids.ts";
import { clOrdIdOf, type IntentRecord, type IntentState } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { LeaderOrders } from "../../../../src/trading/copying/leader-orders.ts";
import { LeaderTurns } from "../../../../src/trading/copying/leader-turns.ts";
import { MirrorMemory } from "../../../../src/trading/copying/mirror-memory.ts";
import { createMirrorPass, type MirrorsSeen } from "../../../../src/trading/copying/mirror-pass.ts";
import type { PlannedCopy } from "../../../../src/trading/copying/plan-copies.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { mirrorOf, order } from "../../domain/copying/mirror-world.ts";
import { MemoryIntents } from "../memory-intents.ts";
import { contracts, cycleOf, FIRST, follower, group, LEADER, NOW, OWNER } from "./copy-kit.ts";

const PX = { numerator: 100_000, denominator: 1 };
const CONNECTION = connectionId("paper");

/** A leader and its followers as a test shows them, and what is sent for them. */
export class MirrorBench {
  /** What works at the brokers; who is not in it cannot be asked. */
  readonly shown = new Map<AccountId, AccountOrders>();
  readonly mirrors = new Map<AccountId, readonly Mirror[]>();
  readonly intents = new MemoryIntents();
  readonly leaderOrders = new LeaderOrders();
  readonly memory = new MirrorMemory(() => this.elapsedMs, 0);
  readonly sent: PlannedCopy[] = [];
  led: readonly CopyGroup[] = [group({ mode: "orders", followers: [follower()] })];
  elapsedMs = 0;
  /** By how much the store's clock is ahead of the leader's broker's. */
  storeAheadMs = 0;

  constructor() {
    this.intents.clock = NOW;
  }

  readonly deps = {
    accounts: {
      find: (account: AccountId) => ({
        accountId: account,
        userId: OWNER,
        connectionId: CONNECTION,
        name: account,
        broker: "Paper",
        environment: "demo" as const,
        currency: "USD",
        simulated: true,
        active: true,
      }),
    },
    reads: {
      positions: async (_: unknown, account: AccountId) =>
        [...this.#read(account).holds].map(([contract, netQty]) => ({
          contract,
          netQty,
          avgPx: PX,
        })),
      workingOrders: async (_: unknown, account: AccountId) => this.#read(account).working,
    },
    views: { fills: async () => ({ items: [] }) },
    mirrors: {
      list: async (account: AccountId) => this.mirrors.get(account) ?? [],
      note: async (account: AccountId, mirror: Mirror) => this.#note(account, [mirror]),
      forget: async (account: AccountId, over: readonly Mirror[]) => {
        const left = (this.mirrors.get(account) ?? []).filter((one) => !over.includes(one));
        this.mirrors.set(account, left);
      },
    },
    groups: { ledBy: () => this.led },
    intents: this.intents,
    leaderOrders: this.leaderOrders,
    memory: this.memory,
    outcomes: { isOpen: () => false, isBusy: () => false },
    isActive: () => true,
    brokerNow: (_: unknown, storeNow: number) => storeNow - this.storeAheadMs,
    describe: (contract: string) => ({
      symbol: contract,
      tickSize: "0.25",
      tickValue: "5",
      currency: "USD",
    }),
    cycleOf,
    isOneMarket: contracts.isOneMarket,
    copyId: (_: unknown, account: AccountId, event: string) => intentId(`${account} ${event}`),
    send: async (copies: readonly PlannedCopy[]) => void this.sent.push(...copies),
    inTurn: new LeaderTurns().inTurn,
    onCopied: () => undefined,
  };

  /** An order of the follower that stands for the leader's; its intent, if there is one, in that state. */
  stands(
    leaderOrderId: string,
    state: IntentState | undefined,
    account: AccountId = FIRST,
  ): Mirror {
    const copyId = intentId(`copy of ${leaderOrderId} at ${account}`);
    const mirror = mirrorOf(leaderOrderId, { copyId });
    this.#note(account, [mirror]);
    const record = { accountId: account, intentId: copyId, state };
    if (state !== undefined) this.intents.put(record as IntentRecord);
    return mirror;
  }

  async pass(afterMs = 0): Promise<MirrorsSeen> {
    this.elapsedMs += afterMs;
    const pairs = [...this.mirrors.keys()].map((account) => ({
      leader: LEADER,
      follower: account,
    }));
    return await createMirrorPass(this.deps)(LEADER, pairs);
  }

  /** What was sent since it was asked last. */
  news(): readonly string[] {
    return this.sent.splice(0).map((copy) => {
      if (copy.kind === "skip") return copy.reason;
      const { intent, entry } = copy;
      return intent.kind === "MODIFY" ? JSON.stringify(intent.change) : entry.decisions.join();
    });
  }

  #note(account: AccountId, mirrors: readonly Mirror[]): void {
    const ids = new Set(mirrors.map(({ copyId }) => copyId));
    const others = (this.mirrors.get(account) ?? []).filter(({ copyId }) => !ids.has(copyId));
    this.mirrors.set(account, [...others, ...mirrors]);
  }

  #read(account: AccountId): AccountOrders {
    const shown = this.shown.get(account);
    if (shown === undefined) throw new BrokerReadError(`${account} cannot be asked`);
    return shown;
  }
}

/** The order that stands, as its broker shows it. */
export const standing = ({ copyId }: Mirror, change: Partial<OrderReport> = {}): OrderReport =>
  order(`F-${copyId}`, { clOrdId: clOrdIdOf(copyId, 1), ...change });

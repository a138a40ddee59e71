import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import type { Follower } from "../../../../src/domain/copying/copy-group.ts";
import {
  type AccountOrders,
  type FoundMirror,
  type Mirror,
  mirroredQty,
  type MirrorStep,
  type MirrorView,
} from "../../../../src/domain/copying/copy-mirror.ts";
import {
  accountId,
  copyGroupId,
  intentId,
  type OrderId,
  orderId,
} from "../../../../src/domain/ids.ts";
import { type OrderReport, type Side, sign } from "../../../../src/domain/order.ts";
import { planMirrors } from "../../../../src/domain/copying/plan-mirrors.ts";
import { tickSize, ticks } from "../../../../src/domain/contracts/price.ts";

const contracts = createContractDirectory({ products, holidays, closures });
export const cycleOf = (root: string) => contracts.product(root)?.cycle;
export const NOW = Date.parse("2026-11-21T15:00:00Z");
export const NQ = "NQZ2026" as ContractCode;
export const MNQ = "MNQZ2026" as ContractCode;
export const CL = "CLZ2026" as ContractCode;
export const QM = "QMZ2026" as ContractCode;
export const ES = "ESZ2026" as ContractCode;

export function follower(change: Partial<Follower> = {}): Follower {
  return {
    accountId: accountId("paper-2"),
    size: { by: "multiplier", multiplier: "1", rounding: "down" },
    invert: false,
    symbolMap: {},
    enabled: true,
    joining: [],
    ...change,
  };
}

/** A working limit order for one contract, unless said otherwise. */
export function order(id: string, change: Partial<OrderReport> = {}): OrderReport {
  const { orderQty = 1, cumQty = 0 } = change;
  return {
    orderId: orderId(id),
    contract: NQ,
    side: "BUY",
    ordType: "LIMIT",
    timeInForce: "DAY",
    ordStatus: cumQty > 0 ? "PARTIALLY_FILLED" : "NEW",
    orderQty,
    cumQty,
    leavesQty: orderQty - cumQty,
    price: ticks(100_000),
    role: "ORDER",
    transactTimeAt: NOW,
    ...change,
  };
}

export function mirrorOf(leaderOrderId: string, change: Partial<Mirror> = {}): Mirror {
  return {
    copyId: intentId(`copy of ${leaderOrderId}`),
    groupId: copyGroupId("cg_1"),
    leader: accountId("paper-1"),
    leaderOrderId: orderId(leaderOrderId),
    contract: NQ,
    side: "BUY",
    filledBefore: 0,
    notedAt: NOW,
    ...change,
  };
}

/** A mirror whose order works like the leader's, unless said otherwise. */
export function found(
  leaderOrderId: string,
  own: OrderReport | undefined,
  change: Partial<FoundMirror> = {},
): FoundMirror {
  return {
    mirror: mirrorOf(leaderOrderId, own && { contract: own.contract, side: own.side }),
    own,
    ownCumQty: own?.cumQty ?? 0,
    leaderCumQty: 0,
    isPending: false,
    isSent: true,
    ...change,
  };
}

export const having = (
  working: readonly OrderReport[] = [],
  holds: readonly (readonly [ContractCode, number])[] = [],
): AccountOrders => ({ working, opaque: [], holds: new Map(holds) });

export function view(change: Partial<MirrorView> = {}): MirrorView {
  return {
    follower: follower(),
    maxAgeMs: 30_000,
    fillsForMs: 10_000,
    now: NOW,
    brokerNow: NOW,
    leader: having(),
    own: having(),
    mirrors: [],
    isBusy: () => false,
    cycleOf,
    isOneMarket: contracts.isOneMarket,
    tickSizeOf: (contract) => tickSize(contract.startsWith("QM") ? "0.025" : sizeOf(contract)),
    ...change,
  };
}

const sizeOf = (contract: ContractCode) => (contract.startsWith("CL") ? "0.01" : "0.25");

interface Account {
  orders: Map<OrderId, OrderReport>;
  net: number;
}

/** A leader and a follower whose brokers do at once what is asked of them, and fill when told to. */
export class MirrorWorld {
  readonly leader: Account = { orders: new Map(), net: 0 };
  readonly own: Account = { orders: new Map(), net: 0 };
  readonly mirrors = new Map<OrderId, Mirror>();
  readonly placed: string[] = [];
  readonly #follower: Follower;
  #next = 0;

  constructor(terms: Partial<Follower> = {}) {
    this.#follower = follower(terms);
  }

  place(side: Side, orderQty: number): void {
    this.#next += 1;
    const placed = order(`L${this.#next}`, { side, orderQty, transactTimeAt: NOW + this.#next });
    this.leader.orders.set(placed.orderId, placed);
  }

  /** What is not filled of the leader's nth working order is cancelled. */
  cancel(nth: number): void {
    const found = nthOf(workingOf(this.leader), nth);
    if (found !== undefined) this.#end(this.leader, found);
  }

  resize(nth: number, orderQty: number): void {
    const found = nthOf(workingOf(this.leader), nth);
    if (found === undefined || orderQty <= found.cumQty) return;
    const leavesQty = orderQty - found.cumQty;
    this.leader.orders.set(found.orderId, { ...found, orderQty, leavesQty });
  }

  fill(who: "leader" | "own", nth: number, qty: number): void {
    const account = this[who];
    const found = nthOf(workingOf(account), nth);
    if (found === undefined) return;
    const lastQty = Math.min(qty, found.leavesQty);
    account.net += sign(found.side) * lastQty;
    const cumQty = found.cumQty + lastQty;
    const leavesQty = found.leavesQty - lastQty;
    const ordStatus = leavesQty === 0 ? "FILLED" : "PARTIALLY_FILLED";
    account.orders.set(found.orderId, { ...found, cumQty, leavesQty, ordStatus });
  }

  /** The follower's whole position is closed by hand. */
  flatten(): void {
    this.own.net = 0;
  }

  view(): MirrorView {
    const holdsOf = ({ net }: Account) =>
      new Map<ContractCode, number>(net === 0 ? [] : [[NQ, net]]);
    return view({
      follower: this.#follower,
      leader: { working: workingOf(this.leader), opaque: [], holds: holdsOf(this.leader) },
      own: { working: workingOf(this.own), opaque: [], holds: holdsOf(this.own) },
      mirrors: [...this.mirrors.values()].map((mirror) => this.#find(mirror)),
    });
  }

  /** One look, and everything done that it asks for. */
  pass(): void {
    for (const step of planMirrors(this.view())) this.#carryOut(step);
  }

  leaves(side: Side): number {
    const orders = workingOf(this.own).filter((one) => one.side === side);
    return orders.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  }

  #find(mirror: Mirror): FoundMirror {
    const own = this.own.orders.get(ownIdOf(mirror));
    const leaders = this.leader.orders.get(mirror.leaderOrderId);
    const works = leaders !== undefined && isWorking(leaders);
    return {
      mirror,
      own: own !== undefined && isWorking(own) ? own : undefined,
      ownCumQty: own?.cumQty ?? 0,
      leaderCumQty: leaders?.cumQty ?? 0,
      isPending: false,
      isSent: true,
      ...(!works && { endedForMs: 0 }),
    };
  }

  #carryOut(step: MirrorStep): void {
    switch (step.kind) {
      case "place": {
        const { leaderOrder, order: asked } = step;
        const { side } = asked;
        const id = leaderOrder.orderId;
        const mirror = mirrorOf(id, { side, filledBefore: leaderOrder.cumQty });
        this.placed.push(id);
        this.mirrors.set(id, mirror);
        const { orderQty } = asked;
        const placed = order(ownIdOf(mirror), { side, orderQty });
        this.own.orders.set(placed.orderId, placed);
        return;
      }
      case "change": {
        const orderQty = step.values.orderQty ?? step.own.orderQty;
        const leavesQty = orderQty - step.own.cumQty;
        this.own.orders.set(step.own.orderId, { ...step.own, orderQty, leavesQty });
        return;
      }
      case "cancel":
        this.#end(this.own, this.own.orders.get(step.own.orderId));
        this.mirrors.set(step.mirror.leaderOrderId, { ...step.mirror, isEnded: true });
        return;
      case "skip":
      case "protect":
    }
  }

  #end({ orders }: Account, ended: OrderReport | undefined): void {
    if (ended === undefined) return;
    orders.set(ended.orderId, { ...ended, leavesQty: 0, ordStatus: "CANCELED" });
  }

  /** The follower's working orders beside how much of each the leader's order allows in all. */
  allowed(): readonly { readonly orderQty: number; readonly most: number }[] {
    return [...this.mirrors.values()].flatMap((mirror) => {
      const own = this.own.orders.get(ownIdOf(mirror));
      const leaders = this.leader.orders.get(mirror.leaderOrderId);
      if (own === undefined || leaders === undefined || !isWorking(own)) return [];
      const qty = isWorking(leaders) ? leaders.orderQty : leaders.cumQty;
      return [{ orderQty: own.orderQty, most: mirroredQty(this.#follower, mirror, qty) }];
    });
  }
}

const ownIdOf = (mirror: Mirror): OrderId => orderId(`F-${mirror.leaderOrderId}`);
const isWorking = ({ leavesQty }: OrderReport): boolean => leavesQty > 0;
const workingOf = ({ orders }: Account): OrderReport[] => [...orders.values()].filter(isWorking);
const nthOf = <Item>(items: readonly Item[], nth: number): Item | undefined =>
  items[nth % Math.max(1, items.length)];

import type { BrokerCapabilities } from "../../../src/brokers/broker-adapter.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { AccountId, ConnectionId, OrderId } from "../../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../../src/domain/order.ts";
import type { ExchangeCommand, ExchangeOp } from "./wire.ts";

/** What can be asked of the broker from outside. Without `connection`, it is for all of them. */
export type Knob =
  /** Answers about the account come so much later; what was asked is done at once. 0 ends it. */
  | {
      readonly knob: "delay";
      readonly account: AccountId;
      readonly ms: number;
      /** Only answers to these; all of them when absent. */
      readonly ops?: readonly ExchangeOp[];
    }
  /** The next command is carried out or not, and its session is cut instead of answered. */
  | {
      readonly knob: "loseNextAnswer";
      readonly connection: ConnectionId;
      readonly isCarriedOut: boolean;
      /** The next order at the market, or close of a position, and not whatever comes next. */
      readonly isAtMarket?: boolean;
    }
  /** So many of the next orders at the market, and closes of positions, are refused, as in a halt. */
  | { readonly knob: "refuseAtMarket"; readonly account: AccountId; readonly times: number }
  | { readonly knob: "closeSessions"; readonly connection?: ConnectionId }
  | { readonly knob: "refuseLogins"; readonly ms: number; readonly connection?: ConnectionId }
  /** The broker's last word to whoever logs in; without `reason`, everyone is let in again. */
  | {
      readonly knob: "turnAway";
      readonly over?: "credentials" | "account";
      readonly reason?: string;
      readonly connection?: ConnectionId;
    }
  /** Every session is accepted and dropped at once. */
  | {
      readonly knob: "dropAfterLogin";
      readonly isOn: boolean;
      readonly connection?: ConnectionId;
    }
  /** When reports that a command causes are sent: before its answer, or so long after it. */
  | {
      readonly knob: "reports";
      readonly order: "beforeAnswer" | "afterAnswer";
      readonly delayMs?: number;
      readonly connection?: ConnectionId;
    }
  /** Whether an identifier that was used before makes a second order. */
  | {
      readonly knob: "duplicates";
      readonly policy: "refuse" | "accept";
      readonly connection?: ConnectionId;
    }
  /** Whether reads of the account show orders and fills by the names that they were sent under. */
  | { readonly knob: "names"; readonly account: AccountId; readonly areShown: boolean }
  /** What the broker can do, as an adapter's capabilities name it; what is absent it can. */
  | ({ readonly knob: "abilities"; readonly connection?: ConnectionId } & Partial<Abilities>)
  /** An order by hand, without an identifier. Prices are ticks. */
  | {
      readonly knob: "placeOrder";
      readonly account: AccountId;
      readonly order: Omit<NewOrderSingle, "clOrdId">;
    }
  | { readonly knob: "cancelOrder"; readonly account: AccountId; readonly orderId: OrderId }
  /** Prices are ticks, sizes contracts; a new quote fills what it reaches. Sizes default to 1,000. */
  | {
      readonly knob: "quote";
      readonly contract: ContractCode;
      readonly bid: number;
      readonly ask: number;
      readonly bidQty?: number;
      readonly askQty?: number;
    }
  | { readonly knob: "active"; readonly account: AccountId; readonly isActive: boolean };

/** What brokers differ in. An adapter is told the same by its option `capabilities`. */
export type Abilities = Omit<
  BrokerCapabilities,
  "refusesDuplicates" | "trailsFromMarket" | "keepsHours" | "lacks"
>;

const ALL_ABILITIES: Abilities = {
  nativeBracket: true,
  nativeOco: true,
  cancelEndsLinkedLeg: true,
};

export interface ReportTiming {
  readonly order: "beforeAnswer" | "afterAnswer";
  readonly delayMs: number;
}

/** A setting that each connection may have for itself. */
class PerConnection<Value> {
  #all: Value;
  readonly #own = new Map<string, Value>();

  constructor(initial: Value) {
    this.#all = initial;
  }

  /** Without a connection, for all of them, whatever was set for single ones before. */
  set(value: Value, connection: string | undefined): void {
    if (connection !== undefined) this.#own.set(connection, value);
    else {
      this.#own.clear();
      this.#all = value;
    }
  }

  get(connection: string): Value {
    return this.#own.has(connection) ? (this.#own.get(connection) as Value) : this.#all;
  }
}

/** Why a login will not work again: over the credentials, or over the account itself. */
export interface Refusal {
  readonly over: "credentials" | "account";
  readonly reason: string;
}

interface Delay {
  readonly ms: number;
  readonly ops: readonly string[] | undefined;
}

interface Loss {
  readonly isCarriedOut: boolean;
  readonly isAtMarket?: boolean;
}

const isAtMarket = (command: ExchangeCommand): boolean =>
  command.op === "closePosition" ||
  (command.op === "submitOrder" && command.order.ordType === "MARKET");

/** How the broker is asked to misbehave now. */
export class Faults {
  readonly duplicates = new PerConnection<"refuse" | "accept">("refuse");
  readonly reports = new PerConnection<ReportTiming>({ order: "beforeAnswer", delayMs: 0 });
  readonly abilities = new PerConnection<Abilities>(ALL_ABILITIES);
  /** Until when logins are refused, Unix ms. */
  readonly refusedUntil = new PerConnection<number>(0);
  /** What everyone who logs in is told; undefined lets them in. */
  readonly turnedAway = new PerConnection<Refusal | undefined>(undefined);
  /** Accounts whose orders are shown without their names. */
  readonly nameless = new Set<AccountId>();
  readonly dropsAfterLogin = new PerConnection<boolean>(false);
  readonly #delays = new Map<string, Delay>();
  readonly #losses = new Map<string, Loss>();
  readonly #refusals = new Map<string, number>();

  setDelay({ account, ms, ops }: Extract<Knob, { knob: "delay" }>): void {
    if (ms > 0) this.#delays.set(account, { ms, ops });
    else this.#delays.delete(account);
  }

  delayOf(request: { readonly op: string; readonly account?: string }): number {
    const delay = this.#delays.get(request.account ?? "");
    return delay?.ops?.includes(request.op) === false ? 0 : (delay?.ms ?? 0);
  }

  setAbilities({ connection, ...asked }: Extract<Knob, { knob: "abilities" }>): void {
    this.abilities.set({ ...ALL_ABILITIES, ...asked }, connection);
  }

  loseNext(connection: string, loss: Loss): void {
    this.#losses.set(connection, loss);
  }

  /** The loss that was asked for, once. */
  takeLoss(connection: string, command: ExchangeCommand): Loss | undefined {
    const loss = this.#losses.get(connection);
    if (loss?.isAtMarket === true && !isAtMarket(command)) return undefined;
    this.#losses.delete(connection);
    return loss;
  }

  refuseAtMarket(account: AccountId, times: number): void {
    this.#refusals.set(account, times);
  }

  /** Whether the command is one of those that were to be refused. */
  takeRefusal(command: ExchangeCommand): boolean {
    const left = this.#refusals.get(command.account) ?? 0;
    if (left === 0 || !isAtMarket(command)) return false;
    this.#refusals.set(command.account, left - 1);
    return true;
  }
}

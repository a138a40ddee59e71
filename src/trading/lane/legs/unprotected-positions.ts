import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId } from "../../../domain/ids.ts";
import { missingExits } from "../../../domain/asked-exits.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import {
  isClosed,
  isOpaque,
  mayBeIn,
  understood,
  type WorkingOrder,
} from "../../../domain/order.ts";
import { qtyToProtect } from "../../../domain/exposure.ts";
import type { Alarms } from "../../alarms/alarm.ts";
import type { Broker, BrokerPosition, WaitFor } from "../../ports.ts";
import { type Exit, isCovered } from "../../reads/protection.ts";

/** A contract of an account whose exits were asked for and are not there. */
export interface Missing {
  readonly contract: ContractCode;
  readonly exits: readonly Exit[];
}

/** Keeps what is missing. Waits while the store is away: a position without its stop must not be forgotten. */
export interface MissingExitsStore {
  readonly of: (account: AccountId) => Promise<readonly Missing[]>;
  readonly save: (account: AccountId, missing: Missing) => Promise<void>;
  readonly forget: (account: AccountId, contracts: readonly ContractCode[]) => Promise<void>;
}

interface UnprotectedPositionsDeps {
  readonly store: MissingExitsStore;
  /** Undefined while the account cannot be read here. */
  readonly brokerOf: (
    account: AccountId,
  ) => Pick<Broker, "positions" | "workingOrders"> | undefined;
  readonly alarms: Alarms;
  readonly waitFor: WaitFor;
  readonly onError: (accountId: AccountId, error: unknown) => void;
}

/** Exits that follow their entry are there by then; and so seldom is the broker asked for them. */
const LOOK_AFTER_MS = 1_000;

/**
 * Remembers, through restarts, where exits that were asked for are missing, until the broker shows
 * them or shows that nothing is open and nothing works. A position for which nobody asked for an
 * exit is none of them. Only the owner of an account may call this for it.
 */
export class UnprotectedPositions {
  readonly #deps: UnprotectedPositionsDeps;
  /** Accounts that have some, as far as this process has seen, and in what. */
  readonly #accounts = new Map<AccountId, ReadonlySet<ContractCode>>();
  /** Accounts that are looked at soon. */
  readonly #soon = new Set<AccountId>();
  /** What is done for an account, one after another. */
  readonly #turns = new Map<AccountId, Promise<void>>();

  constructor(deps: UnprotectedPositionsDeps) {
    this.#deps = deps;
  }

  /** An intent has ended: it may have left a position without its exits, or have given it some. */
  settled(record: IntentRecord): void {
    const { accountId } = record;
    const missing = missingExits(record);
    for (const one of missing) this.missing(accountId, one);
    // Where nothing of it was carried out, what stood before may be just what was asked for.
    const mayStand = missing.length > 0 && isWithout(record);
    if (mayStand || (missing.length === 0 && this.#accounts.has(accountId))) this.look(accountId);
  }

  /** Exits that were asked for are not there. */
  readonly missing = (accountId: AccountId, { contract, exits }: Missing): void => {
    const { store } = this.#deps;
    this.#accounts.set(accountId, new Set([...this.#contractsOf(accountId), contract]));
    this.#lookSoon(accountId);
    this.#inTurn(accountId, async () => {
      const stored = await store.of(accountId);
      const known = stored.find((one) => one.contract === contract)?.exits ?? [];
      const all = { contract, exits: [...new Set([...known, ...exits])] };
      await store.save(accountId, all);
      const others = stored.filter((one) => one.contract !== contract);
      this.#raise(accountId, [...others, all]);
    });
  };

  /** The broker has reported something: exits that were missing may be there by now. */
  readonly reported = (accountId: AccountId): void => {
    if (this.#accounts.has(accountId)) this.#lookSoon(accountId);
  };

  #lookSoon(accountId: AccountId): void {
    if (this.#soon.has(accountId)) return;
    this.#soon.add(accountId);
    void this.#deps
      .waitFor(LOOK_AFTER_MS, () => undefined)
      .then(() => {
        this.#soon.delete(accountId);
        this.look(accountId);
      });
  }

  /** Compares with the broker; called after each reconciliation too. */
  look(accountId: AccountId): void {
    this.#inTurn(accountId, () => this.#compare(accountId));
  }

  async #compare(accountId: AccountId): Promise<void> {
    const { store, brokerOf } = this.#deps;
    const stored = await store.of(accountId);
    this.#raise(accountId, stored);
    if (stored.length === 0) return;
    const broker = brokerOf(accountId);
    if (broker === undefined) return;
    // Orders first: an exit that fills in between is then missing from the position too.
    const working = (await broker.workingOrders(accountId)).filter(
      (order) => isOpaque(order) || !isClosed(order.ordStatus),
    );
    const positions = await broker.positions(accountId);
    const over = stored.filter((one) => isProtected(one, positions, working));
    if (over.length === 0) return;
    await store.forget(
      accountId,
      over.map(({ contract }) => contract),
    );
    this.#raise(
      accountId,
      stored.filter((one) => !over.includes(one)),
    );
  }

  /** What is missing now; another process may have seen the end of what is not any more. */
  #raise(accountId: AccountId, missing: readonly Missing[]): void {
    const { alarms } = this.#deps;
    const contracts = new Set(missing.map(({ contract }) => contract));
    for (const contract of this.#contractsOf(accountId)) {
      if (!contracts.has(contract)) alarms.clear({ kind: "unprotected", accountId, contract });
    }
    for (const one of missing) alarms.raise({ kind: "unprotected", accountId, ...one });
    if (contracts.size === 0) this.#accounts.delete(accountId);
    else this.#accounts.set(accountId, contracts);
  }

  #contractsOf(accountId: AccountId): ReadonlySet<ContractCode> {
    return this.#accounts.get(accountId) ?? new Set();
  }

  #inTurn(accountId: AccountId, work: () => Promise<void>): void {
    const before = this.#turns.get(accountId) ?? Promise.resolve();
    const turn: Promise<void> = before
      .then(work)
      .catch((error: unknown) => this.#deps.onError(accountId, error))
      .finally(() => {
        if (this.#turns.get(accountId) === turn) this.#turns.delete(accountId);
      });
    this.#turns.set(accountId, turn);
  }
}

/** Whether nothing of an intent was carried out. */
const isWithout = ({ outcome }: IntentRecord): boolean =>
  outcome !== undefined && WITHOUT.has(outcome.kind);

const WITHOUT: ReadonlySet<Outcome["kind"]> = new Set(["denied", "rejected", "lost", "notSent"]);

/** Every exit that was asked for is there for all that is held, or nothing is there that needs one. */
function isProtected(
  { contract, exits }: Missing,
  positions: readonly BrokerPosition[],
  working: readonly WorkingOrder[],
): boolean {
  const snapshot = {
    positions,
    opaquePositions: [],
    working: understood(working),
    opaque: working.filter(isOpaque),
  };
  const orders = snapshot.working.filter((order) => order.contract === contract);
  // What is being filled may come without exits.
  const netQty = qtyToProtect(contract, snapshot);
  // An entry that still works may open it; only legs of its own can be meant for that. What is not
  // understood may be such an entry, and never counts as an exit.
  const mayOpen = snapshot.opaque.some((order) => mayBeIn(order, contract));
  if (netQty === 0) return orders.length === 0 && !mayOpen;
  return exits.every((exit) => isCovered({ contract, netQty }, exit, working));
}

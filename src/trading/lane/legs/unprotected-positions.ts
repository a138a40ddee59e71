import type { Redis } from "ioredis";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId } from "../../../domain/ids.ts";
import { missingExits } from "../../../domain/asked-exits.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { LegCut } from "../../../domain/legs.ts";
import { isClosed, isOpaque, mayBeIn, understood, type WorkingOrder } from "../../../domain/order.ts";
import { qtyToProtect } from "../../../domain/reckoning.ts";
import type { Keys } from "../../../store/keys.ts";
import type { Broker, BrokerPosition } from "../../ports.ts";
import { type Exit, isCovered } from "../../reads/protection.ts";
import type { LaneParts, LaneWorks } from "../../../app/work-lanes.ts";

/** A contract of an account whose exits were asked for and are not there. */
interface Missing {
  readonly contract: ContractCode;
  readonly exits: readonly Exit[];
}

interface UnprotectedPositionsDeps {
  /** Waits while Redis is away: a position without its stop must not be forgotten. */
  readonly redis: Redis;
  readonly keyOf: Keys["unprotected"];
  /** Undefined while the account cannot be read here. */
  readonly brokerOf: (
    account: AccountId,
  ) => Pick<Broker, "positions" | "workingOrders"> | undefined;
  /** What is remembered of the account has become another. */
  readonly onChange: (accountId: AccountId) => void;
  readonly onError: (accountId: AccountId, error: unknown) => void;
}

/**
 * Remembers, through restarts, where exits that were asked for are missing, until the broker shows
 * them or shows that nothing is held and nothing works. A position for which nobody asked for an
 * exit is none of them. Only the owner of an account may call this for it.
 */
export class UnprotectedPositions {
  readonly #deps: UnprotectedPositionsDeps;
  /** Accounts that have some, as far as this process has seen. */
  readonly #accounts = new Set<AccountId>();
  /** What is done for an account, one after another. */
  readonly #turns = new Map<AccountId, Promise<void>>();

  constructor(deps: UnprotectedPositionsDeps) {
    this.#deps = deps;
  }

  /** An intent has ended: it may have left a position without its exits, or have given it some. */
  settled(record: IntentRecord): void {
    const { accountId } = record;
    const missing = missingExits(record);
    for (const one of missing) this.#note(accountId, one);
    // Where nothing of it was carried out, what stood before may be just what was asked for.
    const mayStand = missing.length > 0 && isWithout(record);
    if (mayStand || (missing.length === 0 && this.#accounts.has(accountId))) this.look(accountId);
  }

  /** A leg had to go while its entry goes on: what that still fills has no such exit. */
  cut(accountId: AccountId, { leg, why }: LegCut): void {
    if (why !== "entryGoesOn" || leg.role === "ORDER") return;
    this.#note(accountId, { contract: leg.contract, exits: [leg.role] });
  }

  /** An adapter could not put an entry's exits there. */
  readonly missing = (accountId: AccountId, missing: Missing): void => {
    this.#note(accountId, missing);
  };

  /** Compares with the broker; called after each reconciliation. */
  look(accountId: AccountId): void {
    this.#inTurn(accountId, () => this.#compare(accountId));
  }

  #note(accountId: AccountId, { contract, exits }: Missing): void {
    const { redis, keyOf } = this.#deps;
    this.#accounts.add(accountId);
    this.#inTurn(accountId, async () => {
      const known = await redis.hget(keyOf(accountId), contract);
      const all = new Set([...(known?.split(" ") ?? []), ...exits]);
      await redis.hset(keyOf(accountId), contract, [...all].join(" "));
      this.#deps.onChange(accountId);
    });
  }

  async #compare(accountId: AccountId): Promise<void> {
    const { redis, keyOf, brokerOf } = this.#deps;
    const stored = Object.entries(await redis.hgetall(keyOf(accountId)));
    if (stored.length === 0) return void this.#accounts.delete(accountId);
    this.#accounts.add(accountId);
    const broker = brokerOf(accountId);
    if (broker === undefined) return;
    // Orders first: an exit that fills in between is then missing from the position too.
    const working = (await broker.workingOrders(accountId)).filter(
      (order) => isOpaque(order) || !isClosed(order.ordStatus),
    );
    const positions = await broker.positions(accountId);
    const isOver = ([contract, exits]: [string, string]) =>
      isProtected(
        { contract: contract as ContractCode, exits: exits.split(" ") as Exit[] },
        positions,
        working,
      );
    const over = stored.filter(isOver).map(([contract]) => contract);
    if (over.length > 0) {
      await redis.hdel(keyOf(accountId), ...over);
      this.#deps.onChange(accountId);
    }
    if (over.length === stored.length) this.#accounts.delete(accountId);
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

/** As wired in a process that owns connections. */
export function openUnprotectedPositions(
  { store, accounts, changes, log }: Pick<LaneParts, "store" | "accounts" | "changes" | "log">,
  works: () => LaneWorks | undefined,
): UnprotectedPositions {
  return new UnprotectedPositions({
    redis: store.worker,
    keyOf: store.keys.unprotected,
    brokerOf: (account) => {
      const stored = accounts.find(account);
      const owned = stored && works()?.pool.find(stored.connectionId);
      return owned?.status === "CONNECTED" && owned.ownership.isOwned() ? owned.broker : undefined;
    },
    onChange: (accountId) => changes.publish({ accountId }, "overview"),
    onError: (accountId, error) =>
      log.warn("Whether an account's positions are protected could not be seen", {
        accountId,
        error,
      }),
  });
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
  const standing = { positions, working: understood(working), opaque: working.filter(isOpaque) };
  const orders = standing.working.filter((order) => order.contract === contract);
  // What is being filled may come without exits.
  const netQty = qtyToProtect(contract, standing);
  // An entry that still works may open it; only legs of its own can be meant for that. What is not
  // understood may be such an entry, and never counts as an exit.
  const mayOpen = standing.opaque.some((order) => mayBeIn(order, contract));
  if (netQty === 0) return orders.length === 0 && !mayOpen;
  return exits.every((exit) => isCovered({ contract, netQty }, exit, working));
}

import type { ClOrdId } from "../../../src/domain/ids.ts";
import { opposite } from "../../../src/domain/order.ts";
import { ACCESS_DENIED, type Answer, badRequest, failure } from "./answer.ts";
import type { ContractDirectory, Listed } from "./contract-directory.ts";
import type { PlacedOrder } from "./core-orders.ts";
import type { AccountEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Fault } from "./faults.ts";
import type { Cause } from "./order-journal.ts";
import {
  type Body,
  idOf,
  lacksStart,
  NO_START,
  type Read,
  readQty,
  readWish,
  textOf,
  toCoreTerms,
} from "./order-request.ts";
import { accountRefusal } from "./refusals.ts";
import type { TokenSession } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import type { User, Users } from "./users.ts";

/** Who asks; without a session it is done by hand. */
export interface Asker {
  readonly user: User;
  readonly session?: TokenSession | undefined;
  readonly fault?: Fault | undefined;
}

export interface OrderReaderDeps {
  readonly store: EntityStore;
  readonly contracts: ContractDirectory;
  readonly users: Users;
  readonly settings: (user: string) => Settings;
  readonly newName: () => ClOrdId;
}

/** Reads what is asked for, and says what is answered where it cannot be. */
export class OrderReader {
  readonly #deps: OrderReaderDeps;

  constructor(deps: OrderReaderDeps) {
    this.#deps = deps;
  }

  read(asker: Asker, body: Body): Read<PlacedOrder> {
    const account = this.#account(asker, body);
    if ("status" in account) return { answer: account };
    const qty = readQty(body);
    if ("answer" in qty) return qty;
    const wish = readWish(body);
    if ("answer" in wish) return wish;
    const listed = this.contract(asker, body);
    if ("answer" in listed) return listed;
    const refusal = accountRefusal(account);
    if (refusal !== undefined) return { answer: refusal };
    const { trailingNeedsStop } = this.#deps.settings(asker.user.name);
    if (trailingNeedsStop && lacksStart(wish.value)) return { answer: NO_START };
    const terms = toCoreTerms(wish.value, listed.value);
    if ("answer" in terms) return terms;
    const origin = {
      accountId: account.id,
      listed: listed.value,
      wish: wish.value,
      orderQty: qty.value,
      cause: causeOf(asker, body),
    };
    return { value: { name: this.#deps.newName(), origin, terms: terms.value } };
  }

  /** An order that hangs on another: it has that one's contract and quantity. */
  readOther({ origin }: PlacedOrder, body: unknown): Read<PlacedOrder> {
    if (typeof body !== "object" || body === null) {
      return { answer: badRequest("Missing field: bracket1, or other") };
    }
    const wish = readWish(body as Body);
    if ("answer" in wish) return wish;
    const terms = toCoreTerms(wish.value, origin.listed);
    if ("answer" in terms) return terms;
    const cause = { ...origin.cause, clOrdId: wish.value.clOrdId };
    const other = { ...origin, wish: wish.value, cause };
    return { value: { name: this.#deps.newName(), origin: other, terms: terms.value } };
  }

  /** One or two exits of the other side: all that the matching core knows as a bracket. */
  readLegs(entry: PlacedOrder, bodies: readonly unknown[]): Read<readonly PlacedOrder[]> {
    const legs: PlacedOrder[] = [];
    for (const [n, body] of bodies.entries()) {
      if (n > 0 && (body === undefined || body === null)) continue;
      const leg = this.readOther(entry, body);
      if ("answer" in leg) return leg;
      legs.push(leg.value);
    }
    const exit = opposite(entry.terms.side);
    const areExits = legs.every(({ terms }) => terms.side === exit);
    if (areExits && isLimitOrStop(legs)) return { value: legs };
    const text = "Brackets are one Limit and one Stop of the other side";
    return { answer: failure("Unsupported", text) };
  }

  contract({ user }: Asker, body: Body): Read<Listed> {
    const symbol = textOf(body["symbol"]);
    if (symbol === undefined) return { answer: badRequest("Missing field: symbol") };
    const { contracts, settings } = this.#deps;
    const listed = contracts.find(symbol);
    if (listed === undefined) {
      // What tradovate/api#45 shows for a symbol that does not exist.
      const isDenied = settings(user.name).unknownSymbol === "accessDenied";
      const answer = isDenied
        ? failure("UnknownReason", "Access is denied")
        : failure("InvalidContract", "Unknown symbol");
      return { answer };
    }
    if (!contracts.isExpired(listed.code)) return { value: listed };
    return { answer: failure("InvalidContract", "Contract has expired") };
  }

  /** By number where there is one: samples give the user's name as `accountSpec`. */
  #account({ user }: Asker, body: Body): AccountEntity | Answer {
    const id = idOf(body["accountId"]);
    const spec = textOf(body["accountSpec"]);
    if (id === undefined && spec === undefined) return badRequest("Missing field: accountSpec");
    const { users, store } = this.#deps;
    const account = id === undefined ? users.account(spec ?? "") : store.get("account", id);
    return account === undefined || !user.accounts.has(account.id) ? ACCESS_DENIED : account;
  }
}

/** Whether these are at most one limit and one stop. */
export function isLimitOrStop(orders: readonly PlacedOrder[]): boolean {
  const types = orders.map(({ terms }) => terms.ordType);
  const areKnown = types.every((type) => type === "LIMIT" || type === "STOP");
  return areKnown && new Set(types).size === types.length;
}

export function causeOf({ user, session }: Asker, body: Body): Cause {
  const isAutomated = body["isAutomated"];
  return {
    clOrdId: textOf(body["clOrdId"]),
    isAutomated: typeof isAutomated === "boolean" ? isAutomated : undefined,
    customTag50: textOf(body["customTag50"]),
    activationTime: textOf(body["activationTime"]),
    senderId: user.id,
    userSessionId: session?.id,
  };
}

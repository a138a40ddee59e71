import type { ContractCode } from "../../domain/contract.ts";
import { accountId, type AccountId, type ConnectionId } from "../../domain/ids.ts";
import type { ExecutionReport } from "../../domain/order.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { Authorization } from "./authorization.ts";
import {
  ContractDesk,
  type ContractDifference,
  type ContractMemory,
  type ContractTerms,
} from "./contract-desk.ts";
import { type Change, EntityStore } from "./entity-store.ts";
import { isRecord } from "./frames.ts";
import { type OrderView, viewOrder } from "./order-view.ts";
import { PositionCheck } from "./position-check.ts";
import type { RateBudget } from "./rate-budget.ts";
import { ReportTeller } from "./report-teller.ts";
import { BudgetUsedUpError, Requests } from "./requests.ts";
import type { RestClient } from "./rest-client.ts";
import { SnapshotCheck } from "./snapshot-check.ts";
import { SESSION_QUOTA, ShutdownError, type SocketTiming, TradovateSocket } from "./socket.ts";
import type { TokenKeeper } from "./token-keeper.ts";
import type {
  TradovateAccount,
  TradovateEntityType,
  TradovatePosition,
  TradovatePropsEvent,
} from "./wire.ts";

export interface TradovateSessionDeps {
  readonly connectionId: ConnectionId;
  readonly socketUrl: string;
  readonly rest: RestClient;
  readonly keeper: TokenKeeper;
  readonly budget: RateBudget;
  readonly terms: ContractTerms;
  readonly memory: ContractMemory;
  readonly timing: SocketTiming;
  readonly mayWrite: () => boolean;
  readonly onReport: (account: AccountId, report: ExecutionReport) => void;
  readonly onDifference: (contract: ContractCode, difference: ContractDifference) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly elapsed: () => number;
  readonly random: () => number;
}

/** What belongs together comes together; so long a part of it may be late. */
const PARTS_WITHIN_MS = 5_000;
/** A position that its fills contradict is not told; so long a read waits for it to follow. */
const AGREES_WITHIN_MS = 1_000;
const TEND_EVERY_MS = 100;
/** More than a busy day has; the broker and the gateway's own records know the older ones. */
const ORDERS_KEPT = 20_000;
/** Frames come every 2.5 s: what was pushed until then is the broker's word of now. */
const FRESH_MS = 5_000;

/** The session limit of the user: whoever logs in next ends somebody else's session. */
const QUOTA_CODES: ReadonlySet<string> = new Set([SESSION_QUOTA, "IPQuotaReached"]);

/** One session: a token, a socket, the snapshot, and what has been said since. */
export class TradovateSession {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: TradovateSessionDeps;
  readonly #teller: ReportTeller;
  readonly #positions: PositionCheck;
  readonly #ended = new AbortController();
  readonly #waiting = new Set<() => void>();
  #reject: (cause: Error) => void = () => undefined;
  #socket: TradovateSocket | undefined;
  #requests: Requests | undefined;
  #authorization: Authorization | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLoaded = false;
  #refreshing: Promise<void> | undefined;

  constructor(deps: TradovateSessionDeps) {
    this.#deps = deps;
    this.store = new EntityStore(deps.onTrouble);
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    this.broken.catch(() => undefined);
    this.contracts = new ContractDesk({
      memory: deps.memory,
      store: this.store,
      terms: deps.terms,
      // Rare, and an exit may wait for it.
      ask: (endpoint, query) => this.requests.read(endpoint, query, "protect"),
      onDifference: deps.onDifference,
      elapsed: deps.elapsed,
    });
    this.#positions = new PositionCheck(this.store, deps.elapsed);
    this.#teller = new ReportTeller({
      store: this.store,
      contractById: this.contracts.byId,
      accountOf: (account) => this.accountOf(account),
      onReport: deps.onReport,
      elapsed: deps.elapsed,
    });
  }

  get requests(): Requests {
    if (this.#requests === undefined) throw new BrokerReadError("The session has not begun");
    return this.#requests;
  }

  get heardAt(): number | undefined {
    return this.#socket?.heardAt;
  }

  accountOf(brokerAccount: number): AccountId {
    return accountId(`${this.#deps.connectionId}-${brokerAccount}`);
  }

  /** Undefined when the broker lists none that is called so here. */
  account(called: AccountId): TradovateAccount | undefined {
    return this.store.all("account").find(({ id }) => this.accountOf(id) === called);
  }

  /** An order with everything that belongs to it; undefined while something is missing. */
  view(id: number): OrderView | undefined {
    return viewOrder(this.store, id, this.contracts.byId);
  }

  /** Logs in and loads the snapshot. Resolves when the session stands. */
  async start(): Promise<void> {
    const { keeper, onWait } = this.#deps;
    const { signal } = this.#ended;
    const token = await keeper.token(signal, onWait);
    signal.throwIfAborted();
    const { socket, authorization } = this.#connect();
    await this.#race(socket.opened);
    // A token of an earlier session may have been taken away meanwhile: one login, then it breaks.
    if (!(await authorization.take(token))) {
      keeper.drop();
      const fresh = await this.#race(keeper.token(signal, onWait));
      if (!(await authorization.take(fresh))) throw new Error("Tradovate refuses a new token");
    }
    await this.#synchronize();
    signal.throwIfAborted();
    this.#isLoaded = true;
    this.#teller.begin();
    this.#timer = setInterval(() => this.#tend(), TEND_EVERY_MS);
    authorization.keepFresh().catch((cause: Error) => this.#break(cause));
    void this.#lookAgain();
  }

  /** Ends the session; what is in flight is unknown. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#ended.abort();
    clearInterval(this.#timer);
    await this.#socket?.close();
    this.#wake();
  }

  /**
   * Resolves when the broker has answered now: all that happened before is in the store then, since
   * one socket keeps its order. When the budget for questions is used up, what the broker pushes is
   * as good, as long as it is heard. Throws `BrokerReadError`.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce();
    return this.#refreshing;
  }

  /** What is held of an account, after a `refresh`. Throws `BrokerReadError`, also where fills say otherwise. */
  async positions(account: number): Promise<readonly TradovatePosition[]> {
    await this.refresh();
    const doesAgree = () => this.#positions.agrees(account);
    if (!(await this.until(doesAgree, AGREES_WITHIN_MS))) {
      throw new BrokerReadError("Tradovate's fills and its positions do not agree");
    }
    if (!this.store.areHoldingsKnown(account)) {
      throw new BrokerReadError("Tradovate tells a position of the account that cannot be read");
    }
    return this.store.all("position").filter(({ accountId: id }) => id === account);
  }

  async #refreshOnce(): Promise<void> {
    // Whoever asks in the same turn is answered by the same question.
    await Promise.resolve();
    this.#refreshing = undefined;
    try {
      this.#takeList("account", await this.requests.read("account/list"));
    } catch (error) {
      if (!(error instanceof BudgetUsedUpError) || !this.#isFresh()) throw error;
    }
  }

  /** A list by HTTP: another surface than what the socket has told. Throws `BrokerReadError`. */
  async list(path: string): Promise<readonly unknown[]> {
    const { rest, budget } = this.#deps;
    const refusal = budget.take("protect");
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    const { signal } = this.#ended;
    const token = this.#authorization?.token?.accessToken ?? "";
    const answer = await rest
      .ask({ method: "GET", path, token, signal })
      .catch((error: unknown) => {
        throw new BrokerReadError(error instanceof Error ? error.message : "No answer");
      });
    if (answer.status === 200 && Array.isArray(answer.data)) return answer.data;
    throw new BrokerReadError(`Tradovate answered ${path} with ${answer.status}`);
  }

  /** Whether it becomes true in time; looked at whenever the broker has said something. */
  until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    if (isTrue()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const look = () => {
        const isDone = isTrue();
        if (!isDone && !this.#ended.signal.aborted) return;
        end(isDone);
      };
      const timer = setTimeout(() => end(isTrue()), withinMs);
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(isDone);
      };
      this.#waiting.add(look);
    });
  }

  #connect(): { readonly socket: TradovateSocket; readonly authorization: Authorization } {
    const { socketUrl, timing, elapsed, budget, mayWrite } = this.#deps;
    const socket = new TradovateSocket({
      url: socketUrl,
      timing,
      elapsed,
      onProps: (event) => this.#onProps(event),
      onFrame: () => this.#wake(),
    });
    socket.broken.catch((cause: Error) => this.#break(cause));
    const authorization = new Authorization({ ...this.#deps, socket, signal: this.#ended.signal });
    const reauthorize = () => authorization.again();
    this.#socket = socket;
    this.#authorization = authorization;
    this.#requests = new Requests({ socket, budget, mayWrite, reauthorize });
    return { socket, authorization };
  }

  async #synchronize(): Promise<void> {
    const users = [this.#authorization?.token?.userId];
    const snapshot = await this.requests.post("user/syncrequest", { users }, "protect");
    if (!isRecord(snapshot)) throw new Error("Tradovate's snapshot cannot be read");
    const whole = { ...snapshot };
    for (const [name, type] of NEEDED) {
      // Which entities a snapshot has by default differs between versions of the service.
      whole[name] ??= await this.requests.read(`${type}/list`, "", "protect");
    }
    this.store.load(whole);
    this.#positions.begin();
    const held = this.store.all("position").filter(({ netPos }) => netPos !== 0);
    const traded = this.store.all("order").map(({ contractId }) => contractId ?? 0);
    for (const id of new Set([...held.map(({ contractId }) => contractId), ...traded])) {
      await this.contracts.learn(id);
    }
  }

  async #lookAgain(): Promise<void> {
    const { signal } = this.#ended;
    const check = new SnapshotCheck(this.store);
    try {
      if (!(await check.isBehind((path) => this.requests.read(path), signal))) return;
      this.#socket?.end(new Error("Tradovate's snapshot was behind what it lists"));
    } catch (error) {
      if (!signal.aborted) this.#deps.onTrouble(error);
    }
  }

  #onProps(event: TradovatePropsEvent): void {
    const changes = this.store.apply(event);
    for (const change of changes) this.#positions.note(change);
    if (!this.#isLoaded) return;
    for (const id of new Set(changes.flatMap((change) => this.#ordersOf(change)))) this.#tell(id);
  }

  #tell(id: number): void {
    this.#teller.tell(id);
    const contract = this.store.get("order", id)?.contractId ?? 0;
    if (contract === 0 || this.contracts.byId(contract) !== undefined) return;
    void this.contracts
      .learn(contract)
      .then((found) => found && this.#teller.tell(id))
      .catch(this.#deps.onTrouble);
  }

  #ordersOf({ type, entity }: Change): readonly number[] {
    if (type === "order") return [entity.id];
    if (type === "commandReport") {
      return [this.store.get("command", entity.commandId)?.orderId ?? entity.commandId];
    }
    if (!("orderId" in entity)) return [];
    // The change of a leg that waits may be confirmed under its entry's number.
    const command = "commandId" in entity ? this.store.get("command", entity.commandId) : undefined;
    return [entity.orderId, ...(command === undefined ? [] : [command.orderId])];
  }

  #tend(): void {
    for (const gone of this.store.prune(ORDERS_KEPT)) this.#teller.forget(gone);
    const id = this.#teller.tend(PARTS_WITHIN_MS);
    // Only a new snapshot can tell what was left out.
    if (id !== undefined) {
      this.#socket?.end(new Error(`Tradovate left out something that belongs to order ${id}`));
    } else if (this.#positions.isLate(PARTS_WITHIN_MS)) {
      this.#socket?.end(new Error("Tradovate left out a fill or what it did to a position"));
    }
  }

  #takeList(type: TradovateEntityType, list: unknown): void {
    if (!Array.isArray(list)) throw new BrokerReadError(`Tradovate's ${type} list is none`);
    this.store.merge(type, list);
  }

  #isFresh(): boolean {
    const at = this.heardAt;
    return at !== undefined && this.#deps.elapsed() - at <= FRESH_MS;
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }

  #race<Value>(step: Promise<Value>): Promise<Value> {
    return Promise.race([step, this.broken]);
  }

  #break(cause: Error): void {
    this.#ended.abort();
    this.#wake();
    if (!(cause instanceof ShutdownError) || !QUOTA_CODES.has(cause.reasonCode)) {
      this.#reject(cause);
      return;
    }
    try {
      this.#deps.keeper.onQuota(cause.message);
      this.#reject(cause);
    } catch (final) {
      this.#reject(final instanceof Error ? final : cause);
    }
  }
}

/** The collections without which nothing can be judged, and the lists that have them too. */
const NEEDED: readonly (readonly [string, TradovateEntityType])[] = [
  ["accounts", "account"],
  ["positions", "position"],
  ["orders", "order"],
  ["orderVersions", "orderVersion"],
  ["commands", "command"],
  ["commandReports", "commandReport"],
  ["executionReports", "executionReport"],
  ["fills", "fill"],
];

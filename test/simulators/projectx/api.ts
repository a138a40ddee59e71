import type { BarDesk } from "./bar-desk.ts";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import { type Envelope, ok, refused, STATUS } from "./entities.ts";
import { type Fault, type Faults, isCommand } from "./faults.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { ListedOrder, OrderBook } from "./order-book.ts";
import type { Command, OrderDesk } from "./order-desk.ts";
import { answerQuery, readQuery } from "./order-query.ts";
import { Body, MalformedError } from "./request.ts";
import type { Settings, SettingsBook } from "./settings.ts";
import { type Account, toAccountEntity, type User, type Users } from "./users.ts";

export interface ApiDeps {
  readonly clock: Clock;
  readonly users: Users;
  readonly settings: SettingsBook;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly contracts: Contracts;
  readonly orders: OrderBook;
  readonly journal: Journal;
  readonly desk: OrderDesk;
  readonly bars: BarDesk;
  /** Ends the user's hubs without a word. */
  readonly cutHubs: (user: string) => void;
  readonly onLogin: (user: string, isGood: boolean) => void;
  readonly onLogout: (user: string, token: string) => void;
}

export interface ApiRequest {
  /** `Order/place`: what follows `/api/`. */
  readonly path: string;
  readonly text: string;
  readonly token: string | undefined;
}

/** What is to be sent, and who asked. */
export interface Reply {
  readonly user?: string | undefined;
  readonly status: number;
  /** What is put into JSON, or a text as it is. */
  readonly body: object | string;
  /** What goes wrong with the answer. */
  readonly fault?: Fault | undefined;
  readonly delayMs: number;
}

interface Asked {
  readonly user: User;
  readonly body: Body;
  readonly settings: Settings;
  readonly token: string;
  readonly fault: Fault | undefined;
}

type Endpoint = (asked: Asked, api: Api) => Envelope;

const MINUTE_MS = 60_000;
const HALF_MINUTE_MS = 30_000;
const BARS = "History/retrieveBars";
/** By which field a login gives its key: an application's user has a password instead [OFF]. */
const LOGINS: Readonly<Record<string, string>> = {
  "Auth/loginKey": "apiKey",
  "Auth/loginApp": "password",
};
const VALIDATE = "Auth/validate";
/** What `Auth/validate` refuses a token with [OFF]. */
const [NO_SESSION, EXPIRED] = [1, 3] as const;

/** Answers requests under `/api/`. */
export class Api {
  readonly deps: ApiDeps;

  constructor(deps: ApiDeps) {
    this.deps = deps;
  }

  call({ path, text, token }: ApiRequest): Reply {
    const { users, settings, limits, faults } = this.deps;
    const user = users.byToken(token);
    const own = settings.of(user?.name);
    const plain = (status: number, body: object | string = ""): Reply => ({
      user: user?.name,
      status,
      body,
      delayMs: own.answerDelayMs,
    });
    if (LOGINS[path] !== undefined) return this.#logIn(path, text);
    const endpoint = ENDPOINTS[path];
    if (endpoint === undefined) return plain(404);
    if (user === undefined || token === undefined) {
      if (path !== VALIDATE || own.validateRefuses === "status") return plain(401);
      const code = users.isExpired(token ?? "") ? EXPIRED : NO_SESSION;
      return plain(200, refused(code, null, { newToken: null }));
    }
    const isBars = path === BARS;
    const [most, spanMs] = isBars
      ? [own.barsPerHalfMinute, HALF_MINUTE_MS]
      : [own.requestsPerMinute, MINUTE_MS];
    if (!limits.take(`${isBars ? "bars" : "all"} ${user.name}`, most, spanMs)) return plain(429);
    const fault = faults.take(path, user.name, text);
    // First, so that not even an event tells what became of it.
    if (fault?.kind === "drop" && fault.cutsHubs === true) this.deps.cutHubs(user.name);
    const answer = () =>
      endpoint({ user, body: Body.parse(text), settings: own, token, fault }, this);
    return {
      ...this.#disturbed(fault, answer),
      user: user.name,
      delayMs: delayOf(path, own, fault),
    };
  }

  /** The user's own account; what is another's is as what is not there. */
  account({ user, body }: Asked): Account | undefined {
    const id = body.integer("accountId");
    return user.accounts.find((account) => account.id === id);
  }

  #logIn(path: string, text: string): Reply {
    const { users, settings, limits, faults, onLogin } = this.deps;
    let name: string | undefined;
    const answer = (): Envelope => {
      const body = Body.parse(text);
      name = body.text("userName");
      const token = users.logIn(name, body.text(LOGINS[path] ?? ""));
      onLogin(name, typeof token === "string");
      if (typeof token === "string") return ok({ token });
      return refused(token, null, { token: null });
    };
    name = userNameOf(text);
    const own = settings.of(name);
    // Of a name that nobody can have nothing is counted.
    const isOfSomebody = users.takesAnyone || users.user(name ?? "") !== undefined;
    if (
      name !== undefined &&
      isOfSomebody &&
      !limits.take(`all ${name}`, own.requestsPerMinute, MINUTE_MS)
    ) {
      return { user: name, status: 429, body: "", delayMs: own.answerDelayMs };
    }
    const fault = faults.take(path, name);
    return {
      ...this.#disturbed(fault, answer),
      user: name,
      delayMs: delayOf(path, own, fault),
    };
  }

  #disturbed(fault: Fault | undefined, answer: () => Envelope): Omit<Reply, "delayMs"> {
    try {
      return disturb(fault, answer);
    } catch (cause) {
      if (!(cause instanceof MalformedError) && !(cause instanceof SyntaxError)) throw cause;
      return {
        status: 400,
        body: { title: "One or more validation errors occurred.", errors: [cause.message] },
      };
    }
  }
}

function delayOf(
  path: string,
  { answerDelayMs, delaysCommandsOnly }: Settings,
  fault: Fault | undefined,
): number {
  const usual = delaysCommandsOnly && !isCommand(path) ? 0 : answerDelayMs;
  return usual + (fault?.kind === "delay" ? fault.ms : 0);
}

function userNameOf(text: string): string | undefined {
  try {
    return Body.parse(text).optionalText("userName");
  } catch {
    return undefined;
  }
}

function disturb(fault: Fault | undefined, answer: () => Envelope): Omit<Reply, "delayMs"> {
  switch (fault?.kind) {
    case undefined:
    case "delay":
    case "rejectLater":
      return { status: 200, body: answer() };
    case "status":
      if (fault.isCarriedOut === true) answer();
      return { status: fault.status, body: fault.body ?? "" };
    case "code":
      if (fault.isCarriedOut) answer();
      return { status: 200, body: refused(fault.code, fault.message ?? null) };
    case "empty":
    case "garbage":
      if (fault.isCarriedOut) answer();
      return { status: 200, body: fault.kind === "empty" ? {} : "<html>Bad gateway</html>" };
    case "hold":
      return { status: 200, body: answer(), fault };
    case "drop":
    case "silence":
      if (fault.isCarriedOut) answer();
      return { status: 0, body: "", fault };
  }
}

const NO_ACCOUNT = refused(1, "Account not found");

/** Neither these nor children that wait were ever seen in `Order/search` [COM]. */
const PENDING: ReadonlySet<number> = new Set([STATUS.pending, STATUS.pendingCancellation]);

/** An endpoint that is asked of one account. */
const ofAccount =
  (answer: (account: Account, asked: Asked, api: Api) => Envelope): Endpoint =>
  (asked, api) => {
    const account = api.account(asked);
    return account === undefined ? NO_ACCOUNT : answer(account, asked, api);
  };

const command = (run: (desk: OrderDesk, command: Command) => Envelope): Endpoint =>
  ofAccount((account, { body, settings, fault }, api) =>
    run(api.deps.desk, { account, body, settings, fault }),
  );

/** Whether lists have it yet. */
const isListed = (at: number, { deps }: Api, { listLagMs }: Settings): boolean =>
  at + listLagMs <= deps.clock.now();

const ordersOf = (account: Account, api: Api, settings: Settings): readonly ListedOrder[] =>
  api.deps.orders
    .listed(account.id, api.deps.clock.now() - settings.staleListsMs)
    .filter(({ createdAt }) => isListed(createdAt, api, settings));

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  [VALIDATE]: ({ user }, { deps }) => ok({ newToken: deps.users.issue(user) }),
  "Auth/logout": ({ user, token }, { deps }) => {
    deps.users.revoke(token);
    deps.onLogout(user.name, token);
    return ok();
  },
  "Account/search": ({ user, body }) => {
    const isActiveOnly = body.flag("onlyActiveAccounts");
    const listed = user.accounts.filter(({ isListed }) => isListed);
    const shown = listed.filter(
      ({ canTrade, isVisible }) => !isActiveOnly || (canTrade && isVisible),
    );
    return ok({ accounts: shown.map(toAccountEntity) });
  },
  "Contract/search": ({ body, settings }, { deps }) => {
    const text = body.text("searchText");
    const isEmpty = body.flag("live") && settings.liveContracts === "empty";
    return ok({ contracts: isEmpty ? [] : deps.contracts.search(text) });
  },
  "Contract/available": ({ body, settings }, { deps }) => {
    const isEmpty = body.flag("live") && settings.liveContracts === "empty";
    return ok({ contracts: isEmpty ? [] : deps.contracts.available() });
  },
  "Contract/searchById": ({ body }, { deps }) => {
    const listed = deps.contracts.byId(body.text("contractId"));
    if (listed === undefined) return refused(1, "Contract not found", { contract: null });
    return ok({ contract: deps.contracts.entity(listed) });
  },
  "Order/place": command((desk, asked) => desk.place(asked)),
  "Order/cancel": command((desk, asked) => desk.cancel(asked)),
  "Order/modify": command((desk, asked) => desk.modify(asked)),
  "Position/closeContract": command((desk, asked) => desk.close(asked, false)),
  "Position/partialCloseContract": command((desk, asked) => desk.close(asked, true)),
  "Order/searchOpen": ofAccount((account, { settings }, api) => {
    const open = ordersOf(account, api, settings).filter(
      ({ entity }) => entity.status === STATUS.open,
    );
    return ok({ orders: open.map(({ entity }) => entity) });
  }),
  "Order/search": ofAccount((account, { body, settings }, api) => {
    const from = body.instant("startTimestamp");
    const to = body.optionalInstant("endTimestamp") ?? Infinity;
    const found = ordersOf(account, api, settings).filter(
      ({ createdAt, entity }) =>
        createdAt >= from &&
        createdAt <= to &&
        (settings.searchShowsPending || !PENDING.has(entity.status)),
    );
    return ok({ orders: found.map(({ entity }) => entity) });
  }),
  "Order/v2/query": ({ user, body, settings }, { deps }) => {
    const query = readQuery(body);
    const account = user.accounts.find(({ id }) => id === query.account);
    return account === undefined ? NO_ACCOUNT : answerQuery(query, { ...deps, settings });
  },
  "Order/searchById": ofAccount((account, { body, settings }, api) => {
    const id = body.integer("orderId");
    const order = ordersOf(account, api, settings).find(({ entity }) => entity.id === id);
    if (order === undefined) return refused(1, "Order not found", { order: null });
    return ok({ order: order.entity });
  }),
  "Position/searchOpen": ofAccount((account, { settings }, { deps }) => {
    const at = deps.clock.now() - settings.staleListsMs;
    return ok({ positions: deps.journal.positionsAt(account.id, at) });
  }),
  "Trade/search": ofAccount((account, { body, settings }, api) => {
    const from = body.instant("startTimestamp");
    const to = body.optionalInstant("endTimestamp") ?? Infinity;
    const { journal } = api.deps;
    const trades = journal.trades(account.id).filter((trade) => {
      const at = journal.tradedAt(trade);
      return at >= from && at <= to && isListed(at, api, settings);
    });
    return ok({ trades });
  }),
  [BARS]: ({ body, settings }, { deps }) => deps.bars.answer(body, settings),
};

export const isOrderPath = isCommand;

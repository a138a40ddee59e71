import { ticks } from "../../../src/domain/contracts/price.ts";
import type { EventLog } from "../exchange/event-log.ts";
import type { Answer } from "./answer.ts";
import type { BarBook } from "./bar-book.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type { Cash } from "./cash.ts";
import { type ContractDirectory, type Listed, toTicks } from "./contract-directory.ts";
import type { CoreRunner } from "./core-runner.ts";
import type { EntityStore } from "./entity-store.ts";
import type { EventHub } from "./event-hub.ts";
import type { Faults } from "./faults.ts";
import type { KnobAnswer } from "../broker-process.ts";
import { type Knob, lostAnswer, type OfSockets } from "./knobs.ts";
import type { MdGate } from "./md-gate.ts";
import type { OrderChanges } from "./order-changes.ts";
import type { OrderDesk } from "./order-desk.ts";
import type { OrderJournal } from "./order-journal.ts";
import { type Body, definedOf } from "./order-request.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RiskDesk } from "./risk-desk.ts";
import type { Sessions } from "./sessions.ts";
import type { SettingsBook } from "./settings.ts";
import type { SocketSession } from "./socket-session.ts";
import type { User, Users } from "./users.ts";
import type { WireLog } from "../wire-log.ts";

export interface ControlDeps {
  readonly store: EntityStore;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly contracts: ContractDirectory;
  readonly orders: OrderDesk;
  readonly changes: OrderChanges;
  readonly runner: CoreRunner;
  readonly bars: BarBook;
  readonly gate: MdGate;
  readonly cash: Cash;
  readonly risk: RiskDesk;
  readonly hub: EventHub;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly settings: SettingsBook;
  readonly clock: BrokerClock;
  readonly log: EventLog;
  readonly wire: WireLog;
  /** A copy, since some are gone when a knob is turned. */
  readonly sockets: () => readonly SocketSession[];
  readonly expireOrders: () => void;
  readonly correctFill: OrderJournal["correct"];
  readonly setTakesAnyone: (isOn: boolean) => void;
}

const DONE: KnobAnswer = { ok: true };
const LARGEST_PAGE = 10_000;
const DEEP = 1_000;

type Turn<K extends Knob["knob"]> = (
  knob: Extract<Knob, { knob: K }>,
  control: Control,
) => KnobAnswer | void;

/** The hand and the eye of a test. Errors are what is wrong with the knob, in words. */
export class Control {
  readonly deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.deps = deps;
  }

  turn(knob: Knob): KnobAnswer {
    const turn = TURNS[knob.knob] as Turn<Knob["knob"]> | undefined;
    if (turn === undefined) throw new Error(`There is no knob "${knob.knob}"`);
    return turn(knob, this) ?? DONE;
  }

  /** The documented way to move a price: in points, by the broker's name of the contract. */
  setPrice(body: Body): KnobAnswer {
    const { symbol, price, bid = price, ask = price, bidQty = DEEP, askQty = DEEP } = body;
    const listed = typeof symbol === "string" ? this.deps.contracts.find(symbol) : undefined;
    if (listed === undefined) throw new Error(`There is no contract ${String(symbol)}`);
    const [bidTicks, askTicks] = [bid, ask].map((each) => toTicks(Number(each), listed.tickSize));
    if (bidTicks === undefined || askTicks === undefined) throw new Error("Price off tick");
    this.deps.runner.setQuote(listed.code, {
      bid: bidTicks,
      ask: askTicks,
      bidQty: Number(bidQty),
      askQty: Number(askQty),
    });
    return DONE;
  }

  log(from: number, limit: number): readonly object[] {
    return this.deps.log.page(from, Math.min(limit, LARGEST_PAGE));
  }

  wire(from: number, limit: number): readonly object[] {
    return this.deps.wire.page(from, Math.min(limit, LARGEST_PAGE));
  }

  /** What the core has of each account, its numbers included. */
  state(): object {
    const { desk } = this.deps.runner;
    return { accounts: Object.fromEntries(desk.accounts().map((id) => [id, desk.view(id)])) };
  }

  user(name: string): User {
    const user = this.deps.users.find(name);
    if (user === undefined) throw new Error(`There is no user ${name}`);
    return user;
  }

  listed(name: string): Listed {
    const listed = this.deps.contracts.find(name);
    if (listed === undefined) throw new Error(`There is no contract ${name}`);
    return listed;
  }

  accountId(name: string): number {
    const account = this.deps.users.account(name);
    if (account === undefined) throw new Error(`There is no account ${name}`);
    return account.id;
  }

  eachSocket({ user, socket: kind }: OfSockets, act: (socket: SocketSession) => void): void {
    for (const socket of this.deps.sockets()) {
      const isMeant = user === undefined || socket.user === user;
      if (isMeant && (kind === undefined || socket.kind === kind)) act(socket);
    }
  }
}

const TURNS: { readonly [K in Knob["knob"]]: Turn<K> } = {
  set: (knob, control) => {
    const { knob: _, user, ...values } = knob;
    control.deps.settings.set(values, user);
    const end = (of: OfSockets) =>
      control.eachSocket(of, (socket) => socket.shutDown("Maintenance", "Maintenance"));
    if (values.maintenance === true) end({ user });
    else if (values.onMd?.maintenance === true) end({ user, socket: "md" });
  },
  reset: ({ user }, { deps }) => {
    deps.settings.reset(user);
    deps.faults.clear();
    deps.limits.clear();
    deps.gate.clear(user);
  },
  fault: (planned, { deps }) => deps.faults.plan(planned),
  loseNextAnswer: ({ user, isCarriedOut }, { deps }) =>
    deps.faults.plan({ fault: lostAnswer(isCarriedOut), ...(user !== undefined && { user }) }),
  user: (user, { deps }) => {
    const { id, accounts } = deps.users.register(user);
    return { userId: id, accountIds: [...accounts] };
  },
  takesAnyone: ({ isOn }, { deps }) => deps.setTakesAnyone(isOn),
  quote: ({ contract, bid, ask, bidQty = DEEP, askQty = DEEP }, control) => {
    const { code } = control.listed(contract);
    control.deps.runner.setQuote(code, { bid: ticks(bid), ask: ticks(ask), bidQty, askQty });
  },
  active: ({ account, isActive }, control) =>
    void control.deps.store.update("account", control.accountId(account), { active: isActive }),
  account: ({ account, ...knob }, control) => {
    const { active, closed, restricted, readonly, archived, isListed } = knob;
    if (isListed !== undefined) control.deps.users.setListed(account, isListed);
    const flags = definedOf({ active, closed, restricted, readonly, archived });
    control.deps.store.update("account", control.accountId(account), flags);
  },
  expireContract: ({ contract, isExpired = true }, control) =>
    control.deps.contracts.setExpired(control.listed(contract).code, isExpired),
  placeOrder: ({ user, order }, control) =>
    byHand(control.deps.orders.place({ user: control.user(user) }, order as Body)),
  cancelOrder: ({ user, orderId }, control) =>
    byHand(control.deps.changes.cancel({ user: control.user(user) }, { orderId })),
  bustFill: ({ fill, isReported = true }, control) => ({
    ...control.deps.correctFill(fill, { active: false }, isReported),
  }),
  correctFill: ({ fill, isReported = true, qty, price }, control) => {
    const change = { ...(qty !== undefined && { qty }), ...(price !== undefined && { price }) };
    return { ...control.deps.correctFill(fill, change, isReported) };
  },
  entity: ({ type, account, entity }, control) => {
    const { store } = control.deps;
    const { id = store.nextId() } = entity as { id?: number };
    const accountId = account === undefined ? undefined : control.accountId(account);
    const known = store.get(type, id) as object | undefined;
    const own = accountId === undefined || !OF_ACCOUNTS.has(type) ? {} : { accountId };
    const fields = Object.entries({ ...own, ...known, ...entity, id });
    const whole = Object.fromEntries(fields.filter(([, value]) => value !== null)) as never;
    if (accountId === undefined) store.seed(type, whole);
    else store.create(type, accountId, whole);
    return { id };
  },
  advance: ({ ms }, { deps }) => {
    deps.clock.advance(ms);
    deps.expireOrders();
  },
  setClock: ({ at }, { deps }) => {
    deps.clock.set(at);
    deps.expireOrders();
  },
  expireTokens: ({ user }, control) =>
    control.deps.sessions.expire(user === undefined ? undefined : control.user(user)),
  killSessions: ({ user }, control) => control.deps.sessions.killAll(control.user(user)),
  useQuota: ({ user, requests }, { deps }) => deps.limits.spend(user, requests),
  lockOut: ({ user, ms }, { deps }) => deps.limits.lock(user, ms),
  loseEvents: ({ user, count, socket }, control) => {
    const { gate, hub } = control.deps;
    if (socket === "md") gate.loseNext(control.user(user).name, count);
    else hub.loseNext(control.user(user), count);
  },
  freezeQuotes: ({ contract, user, channels, isFrozen = true }, control) => {
    const { gate } = control.deps;
    const code = contract === undefined ? undefined : control.listed(contract).code;
    if (isFrozen) gate.freeze({ contract: code, user, channels });
    else gate.thaw({ contract: code, user });
  },
  cash: ({ account, by, isTold = true }, control) =>
    control.deps.cash.adjust(control.accountId(account), by, isTold),
  margin: (knob, control) => {
    const { knob: _, account, ...margin } = knob;
    const { store, clock } = control.deps;
    const change = { timestamp: clock.iso(), ...margin };
    store.update("marginSnapshot", control.accountId(account), change);
  },
  risk: ({ account, settings, status, isTold = true }, control) => {
    const id = control.accountId(account);
    const { risk } = control.deps;
    if (settings !== undefined) risk.set("userAccountAutoLiq", id, { change: settings, isTold });
    if (status !== undefined) risk.set("accountRiskStatus", id, { change: status, isTold });
  },
  bars: ({ contract, ...set }, control) => {
    const { bars } = control.deps;
    const { code } = control.listed(contract);
    if (set.bars === null) bars.of(code).clearHand();
    else bars.setByHand(code, set);
  },
  gap: ({ contract, from, to }, control) =>
    control.deps.bars.of(control.listed(contract).code).addGap({ from, to }),
  closeSockets: (of, control) => control.eachSocket(of, (socket) => socket.cut("Closed by hand")),
  halfOpen: ({ beats, ...of }, control) =>
    control.eachSocket(of, (socket) => socket.fallSilent(beats)),
  shutdown: ({ reasonCode, reason = reasonCode, ...of }, control) =>
    control.eachSocket(of, (socket) => socket.shutDown(reasonCode, reason)),
};

/** What names its account; other entities belong to one by what they hang on. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(["order", "position", "cashBalance"]);

function byHand(answer: Answer): KnobAnswer {
  answer.afterwards?.();
  const { status, body } = answer;
  return typeof body === "object" && body !== null ? { ...body } : { status, text: String(body) };
}

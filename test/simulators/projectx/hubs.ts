import type { WebSocket } from "ws";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import type { HubEvent } from "./entities.ts";
import { HubConnection, type HubName } from "./hub-connection.ts";
import type { Invocation } from "./hub-protocol.ts";
import type { MarketFeed } from "./market-feed.ts";
import type { Settings, SettingsBook } from "./settings.ts";
import type { Users } from "./users.ts";
import type { WireLog } from "../tradovate/wire-log.ts";

export interface HubsDeps {
  readonly clock: Clock;
  readonly users: Users;
  readonly contracts: Contracts;
  readonly settings: SettingsBook;
  readonly market: MarketFeed;
  readonly wire: WireLog;
  /** A client of the user hub has left. */
  readonly onEnd: (user: string) => void;
}

/** What is wanted of connections; without a name of all. */
export interface OfHubs {
  readonly user?: string | undefined;
  readonly hub?: HubName | undefined;
}

const EVENTS = {
  account: { target: "GatewayUserAccount", subscription: "accounts" },
  order: { target: "GatewayUserOrder", subscription: "orders" },
  position: { target: "GatewayUserPosition", subscription: "positions" },
  trade: { target: "GatewayUserTrade", subscription: "trades" },
} as const;

const SUBSCRIBES = /^(Un|S)(?:s)?ubscribe(Accounts|Orders|Positions|Trades)$/;
const WATCHES = /^(Un|S)(?:s)?ubscribeContract(Quotes|Trades|MarketDepth)$/;
/** Fields of hub entities that are numbers by the documents, and text by a report. */
const IDS: ReadonlySet<string> = new Set([
  "id",
  "accountId",
  "orderId",
  "parentOrderId",
  "linkedOrderId",
]);

/** All clients of both hubs, and what they are told. Nothing is told again to who comes back. */
export class Hubs {
  readonly #deps: HubsDeps;
  readonly #connections = new Set<HubConnection>();
  readonly #lose = new Map<string, number>();
  readonly #closedUntil = new Map<string, number>();
  readonly #dropper: NodeJS.Timeout;
  readonly #openedAt = new Map<HubConnection, number>();
  /** Events of a command, until its answer is out. */
  readonly #held = new Map<string, (() => void)[]>();
  #last = 0;

  constructor(deps: HubsDeps) {
    this.#deps = deps;
    this.#dropper = setInterval(() => this.#dropOld(), DROP_LOOK_MS).unref();
  }

  /** Whether somebody with this name may connect now. */
  isOpen(user: string): boolean {
    return (this.#closedUntil.get(user) ?? 0) <= this.#deps.clock.now();
  }

  welcome(socket: WebSocket, hub: HubName, user: string): void {
    this.#last += 1;
    const number = this.#last;
    const { settings, wire, onEnd } = this.#deps;
    const connection = new HubConnection({
      socket,
      hub,
      user,
      number,
      pingMs: settings.of(user).pingMs,
      onInvocation: (asked, from) => this.#onInvocation(asked, from),
      onWire: (dir, text) => wire.add({ via: "socket", socket: number, dir, user, text }),
      onEnd: () => {
        this.#connections.delete(connection);
        this.#openedAt.delete(connection);
        if (hub === "user") onEnd(user);
      },
    });
    this.#connections.add(connection);
    this.#openedAt.set(connection, performance.now());
  }

  /** Tells who has subscribed, as the user's settings say. */
  tell(event: HubEvent): void {
    const user = this.#deps.users.account(event.account)?.user;
    if (user === undefined || this.#isLost(user)) return;
    const settings = this.#deps.settings.of(user);
    const send = () => this.#send(event, user, settings);
    const all = settings.repeatsEvents
      ? () => {
          send();
          send();
        }
      : send;
    const later =
      settings.eventDelayMs > 0 ? () => void setTimeout(all, settings.eventDelayMs).unref() : all;
    const held = this.#held.get(user);
    if (held === undefined) later();
    else held.push(later);
  }

  /** What is told of a command goes out before its answer, or with the result, after it. */
  around<Result>(
    user: string | undefined,
    run: () => Result,
  ): { readonly result: Result; readonly release: () => void } {
    const isHeld = user !== undefined && this.#deps.settings.of(user).events === "afterAnswer";
    if (user === undefined || !isHeld || this.#held.has(user)) {
      return { result: run(), release: () => undefined };
    }
    this.#held.set(user, []);
    const result = run();
    return {
      result,
      release: () => {
        const held = this.#held.get(user) ?? [];
        this.#held.delete(user);
        for (const send of held) send();
      },
    };
  }

  each(of: OfHubs): readonly HubConnection[] {
    return [...this.#connections].filter(
      ({ user, hub }) =>
        (of.user === undefined || user === of.user) && (of.hub === undefined || hub === of.hub),
    );
  }

  /** Cuts them, and lets nobody of the user in for so long. */
  cut(of: OfHubs, gapMs = 0): void {
    const users = new Set(this.each(of).map(({ user }) => user));
    if (of.user !== undefined) users.add(of.user);
    if (gapMs > 0) {
      for (const user of users) this.#closedUntil.set(user, this.#deps.clock.now() + gapMs);
    }
    for (const connection of this.each(of)) connection.cut();
  }

  loseNext(user: string, count: number): void {
    this.#lose.set(user, count);
  }

  /** The user's word to its clients that they are to log in anew [OFF: GatewayLogout]. */
  logOut(user: string): void {
    for (const connection of this.each({ user, hub: "user" })) connection.send("GatewayLogout");
  }

  quote(contractId: string): void {
    for (const connection of this.each({ hub: "market" })) {
      if (!connection.subscriptions.has(`Quotes ${contractId}`)) continue;
      this.#deps.market.sendQuote(connection, contractId);
    }
  }

  close(): void {
    clearInterval(this.#dropper);
    for (const connection of this.#connections) connection.cut();
  }

  #send({ kind, account, action, data }: HubEvent, user: string, settings: Settings): void {
    const { target, subscription } = EVENTS[kind];
    const entity = settings.ids === "text" ? withTextIds(data) : data;
    const payload = settings.payload === "wrapped" ? { action, data: entity } : entity;
    for (const connection of this.each({ user, hub: "user" })) {
      const isAll = kind === "account" && connection.subscriptions.has(subscription);
      if (isAll || connection.subscriptions.has(`${subscription} ${account}`)) {
        connection.send(target, payload);
      }
    }
  }

  #isLost(user: string): boolean {
    const left = this.#lose.get(user) ?? 0;
    if (left > 0) this.#lose.set(user, left - 1);
    return left > 0;
  }

  #onInvocation(asked: Invocation, connection: HubConnection): string | undefined {
    return connection.hub === "user"
      ? this.#subscribe(asked, connection)
      : this.#watch(asked, connection);
  }

  #subscribe({ target, arguments: given }: Invocation, connection: HubConnection) {
    const match = SUBSCRIBES.exec(target);
    if (match === null) return `Method does not exist: ${target}`;
    const [, how, what = ""] = match;
    const name = what.toLowerCase();
    const account = Number(given[0]);
    const isOwn = this.#deps.users.account(account)?.user === connection.user;
    if (name !== "accounts" && !isOwn) return `Failed to invoke '${target}' due to an error`;
    const key = name === "accounts" ? name : `${name} ${account}`;
    if (how === "Un") connection.subscriptions.delete(key);
    else connection.subscriptions.add(key);
    return undefined;
  }

  #watch({ target, arguments: given }: Invocation, connection: HubConnection) {
    const match = WATCHES.exec(target);
    if (match === null) return `Method does not exist: ${target}`;
    const [, how, what = ""] = match;
    const contractId = String(given[0]);
    if (this.#deps.contracts.byId(contractId) === undefined) {
      return `Failed to invoke '${target}' due to an error`;
    }
    const key = `${what} ${contractId}`;
    if (how === "Un") connection.subscriptions.delete(key);
    else {
      connection.subscriptions.add(key);
      if (what === "Quotes") this.#deps.market.sendWhole(connection, contractId);
    }
    return undefined;
  }

  #dropOld(): void {
    const now = performance.now();
    for (const [connection, at] of this.#openedAt) {
      const { dropsEveryMs, dropGapMs } = this.#deps.settings.of(connection.user);
      if (dropsEveryMs === 0 || now - at < dropsEveryMs) continue;
      this.cut({ user: connection.user }, dropGapMs);
    }
  }
}

const DROP_LOOK_MS = 50;

function withTextIds(data: object): object {
  const fields = Object.entries(data).map(([name, value]: [string, unknown]) => [
    name,
    IDS.has(name) && typeof value === "number" ? String(value) : value,
  ]);
  return Object.fromEntries(fields) as object;
}

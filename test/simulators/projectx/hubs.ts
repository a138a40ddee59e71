import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Fill } from "../../../src/domain/order.ts";
import type { EventLog } from "../exchange/event-log.ts";
import type { WireLog } from "../wire-log.ts";
import type { EventKind, HubEvent } from "./entities.ts";
import type { Fault, Faults } from "./faults.ts";
import type { ClosingWords } from "./hub-protocol.ts";
import { type CallAnswer, type HubCall, type HubName, HubSocket } from "./hub-socket.ts";
import type { Journal } from "./journal.ts";
import { MarketHub } from "./market-hub.ts";
import type { MarketTape } from "./market-tape.ts";
import { hasEnded, type OrderBook } from "./order-book.ts";
import type { SettingsBook } from "./settings.ts";
import { type CarriedOut, failed, UserHub } from "./user-hub.ts";
import { toAccountEntity, type Users } from "./users.ts";

export interface HubsDeps {
  readonly users: Users;
  readonly settings: SettingsBook;
  readonly tape: MarketTape;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly orders: OrderBook;
  readonly wire: WireLog;
  readonly log: EventLog;
}

/** Which connections are meant; without a name, all of them. */
export interface OfHubs {
  readonly user?: string | undefined;
  readonly hub?: HubName | undefined;
}

/** Who wants to connect. */
export interface Visitor {
  readonly hub: HubName;
  readonly user: string;
  readonly token: string;
}

interface Connection extends Visitor {
  readonly socket: HubSocket;
  readonly openedAt: number;
}

const LOOK_MS = 50;
const PATH = /^\/hubs\/(user|market)\/?$/;
const [TURNED_AWAY, NO_SERVICE] = [404, 503];

/** All connections to both hubs, and what goes wrong with them. */
export class Hubs {
  readonly user: UserHub;
  readonly market: MarketHub;
  readonly #deps: HubsDeps;
  readonly #connections = new Map<HubSocket, Connection>();
  /** By user: until when there is a gap. */
  readonly #gaps = new Map<string, number>();
  readonly #ticker: NodeJS.Timeout;
  #lastNumber = 0;

  constructor(deps: HubsDeps) {
    this.#deps = deps;
    const { users, tape } = deps;
    const settings = (user: string) => deps.settings.of(user);
    const isDeaf = (user: string) => this.#isInGap(user) && settings(user).gap === "lossy";
    this.user = new UserHub({
      settings,
      isDeaf,
      accountsOf: (user) => users.user(user)?.accounts.map(({ id }) => id) ?? [],
      ownerOf: (account) => users.account(account)?.user,
      present: (kind, account) => this.#present(kind, account),
    });
    this.market = new MarketHub({ settings, tape, isDeaf });
    this.#ticker = setInterval(() => this.#dropOld(), LOOK_MS).unref();
  }

  /** Whoever may come in; the status that others are turned away with. */
  admit(visitor: Visitor): Visitor | number {
    const { hub, user } = visitor;
    const fault = this.#deps.faults.take(`hubs/${hub}`, user);
    if (fault !== undefined) return fault.kind === "status" ? fault.status : NO_SERVICE;
    const isShut = this.#isInGap(user) && this.#deps.settings.of(user).gap === "refused";
    return isShut ? NO_SERVICE : visitor;
  }

  /** What a client that does not skip it is told to use, or the status that it is turned away with. */
  negotiate({ user }: Visitor): object | number {
    if (!this.#deps.settings.of(user).negotiates) return TURNED_AWAY;
    const [connectionId, connectionToken] = [randomUUID(), randomUUID()];
    const transport = { transport: "WebSockets", transferFormats: ["Text", "Binary"] };
    return { negotiateVersion: 1, connectionId, connectionToken, availableTransports: [transport] };
  }

  welcome(webSocket: WebSocket, visitor: Visitor): void {
    const { hub, user, token } = visitor;
    const { settings, users, wire, log } = this.#deps;
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const room = hub === "user" ? this.user : this.market;
    const socket: HubSocket = new HubSocket(webSocket, {
      settings: () => settings.of(user),
      isExpired: () => users.isExpired(token),
      call: (call, from) => this.#call(visitor, call, from),
      onText: (dir, text) =>
        wire.add({ via: "socket", socket: number, dir, user, path: `hubs/${hub}`, text }),
      onEnd: (reason) => {
        this.#connections.delete(socket);
        room.leave(socket);
        if (hub === "user") log.add({ connection: user, op: "end", outcome: "ended", reason });
      },
    });
    this.#connections.set(socket, { ...visitor, socket, openedAt: performance.now() });
    room.welcome(socket, user);
  }

  /** What is told of a command goes out before its answer or, with the result, after it. */
  around<Result>(
    user: string | undefined,
    run: () => Result,
  ): { readonly result: Result; readonly release: () => void } {
    const isHeld = user !== undefined && this.#deps.settings.of(user).events === "afterAnswer";
    const release = isHeld ? this.user.queueOf(user).hold() : () => undefined;
    return { result: run(), release };
  }

  tell(event: HubEvent): void {
    this.user.tell(event);
  }

  traded(fill: Fill): void {
    this.#deps.tape.note(fill);
    this.market.traded(fill);
  }

  of({ user, hub }: OfHubs): readonly HubSocket[] {
    return [...this.#connections.values()]
      .filter((each) => (user ?? each.user) === each.user && (hub ?? each.hub) === each.hub)
      .map(({ socket }) => socket);
  }

  /** Ends connections without a word; for so long there is a gap then. */
  cut(of: OfHubs, gapMs = 0): void {
    this.#beginGap(of, gapMs);
    for (const socket of this.of(of)) socket.cut("The hub dropped the connection");
  }

  /** Ends connections with SignalR's own words. */
  close(words: ClosingWords, of: OfHubs, gapMs = 0): void {
    this.#beginGap(of, gapMs);
    for (const socket of this.of(of)) socket.close(words);
  }

  /** Tells clients that they are logged out [OFF: GatewayLogout]. */
  logOut(user: string | undefined): void {
    for (const socket of this.of({ user, hub: "user" })) socket.tell("GatewayLogout", []);
  }

  /** Nothing runs any more. */
  stop(): void {
    clearInterval(this.#ticker);
    for (const socket of this.of({})) socket.cut("The broker stops");
  }

  #present(kind: EventKind, account: number): readonly object[] {
    const { users, journal, orders } = this.#deps;
    switch (kind) {
      case "account": {
        const known = users.account(account);
        return known === undefined ? [] : [toAccountEntity(known)];
      }
      case "order":
        return orders
          .of(account)
          .filter((order) => !hasEnded(order))
          .map((order) => orders.hubOrder(order));
      case "position":
        return journal.positions(account);
      case "trade":
        return [];
    }
  }

  #call({ hub, user }: Visitor, call: HubCall, socket: HubSocket): CallAnswer {
    const { refusesCalls, leavesCalls } = this.#deps.settings.of(user);
    const room = hub === "user" ? this.user : this.market;
    const fault = this.#deps.faults.take(`hubs/${hub}/${call.target}`, user);
    if (fault !== undefined) return disturbed(fault, call, socket, () => room.call(call, socket));
    if (refusesCalls.includes(call.target)) return { outcome: failed(call.target) };
    const carriedOut = room.call(call, socket);
    return leavesCalls.includes(call.target) ? { ...carriedOut, outcome: undefined } : carriedOut;
  }

  #isInGap(user: string): boolean {
    return (this.#gaps.get(user) ?? 0) > performance.now();
  }

  #beginGap({ user }: OfHubs, gapMs: number): void {
    if (gapMs === 0) return;
    const all = [...this.#connections.values()].map((each) => each.user);
    const until = performance.now() + gapMs;
    for (const each of user === undefined ? all : [user]) this.#gaps.set(each, until);
  }

  #dropOld(): void {
    const now = performance.now();
    for (const { user, openedAt, hub } of this.#connections.values()) {
      const { dropsEveryMs, dropGapMs } = this.#deps.settings.of(user);
      if (dropsEveryMs > 0 && now - openedAt >= dropsEveryMs) this.cut({ user, hub }, dropGapMs);
    }
  }
}

function disturbed(
  fault: Fault,
  { target }: HubCall,
  socket: HubSocket,
  carryOut: () => CarriedOut,
): CallAnswer {
  switch (fault.kind) {
    case "delay":
      return { ...carryOut(), delayMs: fault.ms };
    case "drop":
      if (fault.isCarriedOut) carryOut();
      socket.cut("The answer is lost");
      return { outcome: undefined };
    case "silence":
    case "empty":
    case "garbage":
      return fault.isCarriedOut ? { ...carryOut(), outcome: undefined } : { outcome: undefined };
    case "code":
    case "status":
    case "hold":
    case "rejectLater":
      return { outcome: failed(target) };
  }
}

/** Undefined for what is no hub. */
export function hubAt({ url = "/" }: IncomingMessage, end = ""): HubName | undefined {
  const { pathname } = new URL(url, "http://broker");
  if (!pathname.endsWith(end)) return undefined;
  return PATH.exec(pathname.slice(0, pathname.length - end.length))?.[1] as HubName | undefined;
}

/** The token of a request to a hub: in the address, or in the header that clients in Node add. */
export function tokenOf({ url = "/", headers }: IncomingMessage): string | undefined {
  const asked = new URL(url, "http://broker").searchParams.get("access_token");
  return asked ?? /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
}

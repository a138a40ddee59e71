import { obtain } from "../obtain.ts";
import { EventQueue } from "./event-queue.ts";
import type { EventKind, HubEvent } from "./entities.ts";
import { targetOf, toPayload, unreadableRecord } from "./hub-payload.ts";
import type { Completion } from "./hub-protocol.ts";
import type { HubSettings } from "./hub-settings.ts";
import type { HubCall, HubSocket } from "./hub-socket.ts";

export interface UserHubDeps {
  readonly settings: (user: string) => HubSettings;
  /** The numbers of a user's accounts. */
  readonly accountsOf: (user: string) => readonly number[];
  readonly ownerOf: (account: number) => string | undefined;
  /** What there is of a kind in an account, as events would tell it. */
  readonly present: (kind: EventKind, account: number) => readonly object[];
  /** Whether the user's hubs are told nothing at the moment, though they are open. */
  readonly isDeaf: (user: string) => boolean;
}

/** A connection, and what it has subscribed to: `account`, or `order 460001`. */
interface Listener {
  readonly user: string;
  readonly subscriptions: Set<string>;
}

/** A call that was carried out; what follows its answer runs then. */
export interface CarriedOut {
  readonly outcome: Completion;
  readonly afterwards?: () => void;
}

const METHOD = /^(Subscribe|Unsubscribe)(Accounts|Orders|Positions|Trades)$/;
const KINDS: Readonly<Record<string, EventKind>> = {
  Accounts: "account",
  Orders: "order",
  Positions: "position",
  Trades: "trade",
};

/** Tells each connection what it has subscribed to, from then on, and never again what was missed. */
export class UserHub {
  readonly #deps: UserHubDeps;
  readonly #listeners = new Map<HubSocket, Listener>();
  readonly #queues = new Map<string, EventQueue>();

  constructor(deps: UserHubDeps) {
    this.#deps = deps;
  }

  welcome(socket: HubSocket, user: string): void {
    this.#listeners.set(socket, { user, subscriptions: new Set() });
  }

  leave(socket: HubSocket): void {
    this.#listeners.delete(socket);
  }

  queueOf(user: string): EventQueue {
    return obtain(
      this.#queues,
      user,
      () =>
        new EventQueue(
          () => this.#deps.settings(user),
          (event) => this.#send(user, event),
        ),
    );
  }

  tell(event: HubEvent): void {
    const user = this.#deps.ownerOf(event.account);
    if (user !== undefined) this.queueOf(user).add(event);
  }

  call({ target, args }: HubCall, socket: HubSocket): CarriedOut {
    const [, how, name = ""] = METHOD.exec(target) ?? [];
    const kind = KINDS[name];
    const listener = this.#listeners.get(socket);
    if (kind === undefined || listener === undefined) {
      return { outcome: { error: `Unknown hub method '${target}'` } };
    }
    const accounts = this.#deps.accountsOf(listener.user);
    const wanted = kind === "account" ? 0 : 1;
    if (args.length !== wanted) return { outcome: wrongCount(args.length, wanted) };
    const account = accounts.find((each) => each === args[0]);
    if (kind !== "account" && account === undefined) return { outcome: failed(target) };
    const key = account === undefined ? kind : `${kind} ${account}`;
    const done = { outcome: { result: null } };
    if (how === "Unsubscribe") {
      listener.subscriptions.delete(key);
      return done;
    }
    listener.subscriptions.add(key);
    if (!this.#deps.settings(listener.user).tellsOnSubscribe) return done;
    const told = account === undefined ? accounts : [account];
    return { ...done, afterwards: () => this.#tellPresent(socket, listener.user, kind, told) };
  }

  #tellPresent(
    socket: HubSocket,
    user: string,
    kind: EventKind,
    accounts: readonly number[],
  ): void {
    const settings = this.#deps.settings(user);
    for (const account of accounts) {
      for (const data of this.#deps.present(kind, account)) {
        socket.tell(targetOf(kind), [toPayload({ kind, account, action: 0, data }, settings)]);
      }
    }
  }

  #send(user: string, event: HubEvent): void {
    if (this.#deps.isDeaf(user)) return;
    const settings = this.#deps.settings(user);
    const key = event.kind === "account" ? event.kind : `${event.kind} ${event.account}`;
    const payload = toPayload(event, settings);
    for (const [socket, { user: of, subscriptions }] of this.#listeners) {
      if (of !== user || !subscriptions.has(key)) continue;
      const { unreadable } = settings;
      if (unreadable !== "never") {
        socket.tellRaw(unreadableRecord(unreadable, targetOf(event.kind)));
      }
      socket.tell(targetOf(event.kind), [payload]);
    }
  }
}

/** SignalR's own words. */
export const wrongCount = (given: number, wanted: number): Completion => ({
  error: `Invocation provides ${given} argument(s) but target expects ${wanted}.`,
});

export const failed = (target: string): Completion => ({
  error: `Failed to invoke '${target}' due to an error on the server.`,
});

import type { WebSocket } from "ws";
import { Api } from "./api.ts";
import { Auth } from "./auth.ts";
import { type BackOffice, createBackOffice } from "./back-office.ts";
import { Control } from "./control.ts";
import { Faults } from "./faults.ts";
import { createOrderRoom, type OrderRoom } from "./order-room.ts";
import { RateLimits } from "./rate-limits.ts";
import { Sessions, type TokenSession } from "./sessions.ts";
import { onSocket } from "./settings.ts";
import { countedSockets } from "./socket-quota.ts";
import { SocketSession } from "./socket-session.ts";
import { Syncs } from "./syncs.ts";
import { Tickets } from "./tickets.ts";
import type { User } from "./users.ts";
import { WireLog } from "../wire-log.ts";

/** All parts of the look-alike, put together. It knows no HTTP. */
export class Broker {
  readonly api: Api;
  readonly control: Control;
  readonly wire: WireLog;
  readonly #office: BackOffice;
  readonly #room: OrderRoom;
  readonly #sessions: Sessions;
  readonly #sockets = new Set<SocketSession>();
  readonly #faults = new Faults();
  #lastSocket = 0;
  #takesAnyone = true;

  constructor() {
    const office = createBackOffice((account) => this.#room.runner.desk.open(account));
    const room = createOrderRoom(office);
    const { now } = office.clock;
    const { settings } = office;
    const sessions = new Sessions({ now, settings, onKilled: (session) => this.#killed(session) });
    const shared = {
      ...office,
      ...room,
      sessions,
      limits: new RateLimits(now),
      faults: this.#faults,
    };
    this.#office = office;
    this.#room = room;
    this.#sessions = sessions;
    this.wire = new WireLog(now);
    this.api = new Api({
      ...shared,
      auth: new Auth({ ...shared, takesAnyone: () => this.#takesAnyone }),
      tickets: new Tickets(now),
      syncs: new Syncs(),
      cutSockets: (user, reason) => this.#cutSockets(user, reason),
    });
    this.control = new Control({
      ...shared,
      settings: office.book,
      wire: this.wire,
      sockets: () => [...this.#sockets],
      setTakesAnyone: (isOn) => {
        this.#takesAnyone = isOn;
      },
    });
  }

  isInMaintenance(isMarketData: boolean): boolean {
    return onSocket(this.#office.settings(undefined), isMarketData).maintenance;
  }

  expireOrders(): void {
    this.#room.expireOrders();
  }

  repeatQuotes(): void {
    this.#room.marketData.repeat();
  }

  welcome(socket: WebSocket, isMarketData: boolean): void {
    const { hub, settings } = this.#office;
    this.#lastSocket += 1;
    const session = new SocketSession(this.#lastSocket, socket, {
      isMarketData,
      api: this.api,
      faults: this.#faults,
      hub,
      sessions: this.#sessions,
      wire: this.wire,
      settings,
      onAuthorised: (authorised) => this.#authorised(authorised),
      forget: (ended) => this.#forget(ended),
      onEnd: (ended, reason) => this.#ended(ended, reason),
    });
    this.#sockets.add(session);
  }

  /** One socket too many of a user closes the oldest. */
  #authorised({ user = "" }: SocketSession): void {
    const settings = this.#office.settings(user);
    const counted = countedSockets(this.#sockets, user, settings);
    for (const oldest of counted.slice(0, Math.max(0, counted.length - settings.socketLimit))) {
      if (oldest.token !== undefined) this.#sessions.revoke(oldest.token);
      oldest.shutDown("ConnectionQuotaReached", "Too many connections");
    }
  }

  #ended(session: SocketSession, reason: string): void {
    this.#sockets.delete(session);
    this.#forget(session);
    const { user: connection, tokens } = session;
    const end = { op: "end", outcome: "ended", reason } as const;
    this.#office.log.add({ connection, session: tokens?.id, ...end });
  }

  #forget({ feed }: SocketSession): void {
    if (feed !== undefined) this.#room.marketData.leave(feed);
  }

  #cutSockets({ name }: User, reason: string): void {
    for (const socket of this.#sockets) if (socket.user === name) socket.cut(reason);
  }

  #killed(session: TokenSession): void {
    const { killedSockets } = this.#office.settings(session.user.name);
    for (const socket of this.#sockets) {
      if (socket.tokens !== session) continue;
      if (killedSockets === "shutdown") {
        socket.shutDown("ConnectionQuotaReached", "Another session took over");
      } else if (killedSockets === "close") socket.cut("Another session took over");
      else if (killedSockets === "silent") socket.fallSilent();
    }
  }
}

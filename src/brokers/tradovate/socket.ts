import { type RawData, WebSocket } from "ws";
import {
  CLIENT_HEARTBEAT,
  formatRequest,
  parseFrame,
  type TradovateMessage,
  type TradovateRequest,
} from "./frames.ts";
import { afterReading } from "../waits.ts";
import type { TradovateAnswer, TradovateMarketEvent, TradovatePropsEvent } from "./wire.ts";

/** What became of a request. Only `notSent` says that no byte of it left. */
export type SocketReply =
  | { readonly kind: "answered"; readonly answer: TradovateAnswer }
  | { readonly kind: "notSent" | "unknown"; readonly reason: string };

/** How long the socket waits, in milliseconds. */
export interface SocketTiming {
  readonly heartbeatEveryMs: number;
  /** After so long without an answer, what became of a request is unknown. */
  readonly answerWithinMs: number;
  /** The open frame does not always come by itself. */
  readonly openFrameWithinMs: number;
  readonly connectWithinMs: number;
  /** After so long without a frame the link for market data is dead; that for orders is watched elsewhere. */
  readonly silentAfterMs: number;
}

export const SOCKET_TIMING: SocketTiming = {
  heartbeatEveryMs: 2_500,
  answerWithinMs: 5_000,
  openFrameWithinMs: 1_000,
  connectWithinMs: 10_000,
  silentAfterMs: 15_000,
};

/** The reason code of a session that ends because the user has logged in too often. */
export const SESSION_QUOTA = "ConnectionQuotaReached";
const QUOTA_CODES: ReadonlySet<string> = new Set([SESSION_QUOTA, "IPQuotaReached"]);

/** The broker announced that it ends the session. */
export class ShutdownError extends Error {
  override readonly name = "ShutdownError";
  readonly reasonCode: string;

  constructor(reasonCode: string, reason: string) {
    const words = reason === "" || reason === reasonCode ? "" : `: ${reason}`;
    super(`Tradovate ended the session (${reasonCode}${words})`);
    this.reasonCode = reasonCode;
  }

  /** The session limit of the user: whoever logs in next ends somebody else's session. */
  get isQuota(): boolean {
    return QUOTA_CODES.has(this.reasonCode);
  }
}

/** The broker did not answer in time: whatever else it still sends, the session is over. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";

  constructor(endpoint: string) {
    super(`Tradovate did not answer ${endpoint} in time`);
  }
}

export interface TradovateSocketDeps {
  readonly url: string;
  readonly timing: SocketTiming;
  /** Events come in the broker's order, between the answers. */
  readonly onProps?: (event: TradovatePropsEvent) => void;
  readonly onMarket?: (event: TradovateMarketEvent) => void;
  /** Called once everything that one frame said has been handed over. */
  readonly onFrame?: () => void;
  readonly elapsed: () => number;
}

interface Pending {
  readonly resolve: (reply: SocketReply) => void;
  readonly timer: NodeJS.Timeout;
}

interface RequestOptions {
  /** Asked in the same turn of the event loop as the write; when it answers false the socket ends. */
  readonly mayWrite?: () => boolean;
  /** Nothing can be decided without the answer: a socket that does not give it in time ends. */
  readonly isNeeded?: boolean;
}

/** A snapshot of a busy user has megabytes. */
const MAX_FRAME_BYTES = 64 * 1_024 * 1_024;

/** One socket: input and output only. A frame that cannot be read breaks it. */
export class TradovateSocket {
  /** Rejects when the socket breaks; never resolves. */
  readonly broken: Promise<never>;
  /** Resolves once it may be authorized: on the open frame, or a while after the connection. */
  readonly opened: Promise<void>;

  readonly #deps: TradovateSocketDeps;
  readonly #socket: WebSocket;
  readonly #closed: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #reject: (cause: Error) => void = () => undefined;
  #isOpen: () => void = () => undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #openTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #heardAt: number | undefined;
  #spokeAt: number | undefined;
  /** How many messages came: heartbeats are none. */
  #messages = 0;
  #isEnded = false;

  constructor(deps: TradovateSocketDeps) {
    this.#deps = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    // Whoever runs the session waits for it too; a break after the end concerns nobody.
    this.broken.catch(() => undefined);
    this.opened = new Promise((resolve) => (this.#isOpen = resolve));
    // Without compression a frame is written at once when it is sent.
    this.#socket = new WebSocket(deps.url, {
      perMessageDeflate: false,
      handshakeTimeout: deps.timing.connectWithinMs,
      maxPayload: MAX_FRAME_BYTES,
      followRedirects: false,
    });
    this.#closed = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("error", (cause) => this.end(cause));
    this.#socket.on("close", () => this.end(new Error("Tradovate closed the socket")));
    this.#socket.on("open", () => this.#begin());
    this.#socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
  }

  /** When any frame came, by `elapsed`; undefined before the first one. */
  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** When the broker said something last: an answer or an event. A heartbeat says nothing. */
  get spokeAt(): number | undefined {
    return this.#spokeAt;
  }

  /**
   * Writes a request, or nothing of it. A broker that goes on with heartbeats and answers nothing would
   * keep its session up for ever. So an answer that is needed, and late, ends the socket. So does any
   * other late answer, unless the broker has said something since the request was written.
   */
  request(
    request: TradovateRequest,
    { mayWrite = () => true, isNeeded = false }: RequestOptions = {},
  ): Promise<SocketReply> {
    return new Promise((resolve) => {
      if (this.#isEnded || this.#socket.readyState !== WebSocket.OPEN) {
        resolve({ kind: "notSent", reason: "The session with Tradovate has ended" });
        return;
      }
      const id = this.#lastId + 1;
      const frame = formatRequest(id, request);
      if (!mayWrite()) {
        resolve({ kind: "notSent", reason: "Sending is not allowed any more" });
        this.end(new Error("Sending is not allowed any more"));
        return;
      }
      this.#lastId = id;
      this.#socket.send(frame);
      const before = this.#messages;
      const onLate = () => {
        if (!this.#pending.has(id)) return;
        const isSilent = this.#messages === before;
        this.#settle(id, { kind: "unknown", reason: "No answer in time" });
        if (isNeeded || isSilent) this.end(new UnansweredError(request.endpoint));
      };
      const timer = afterReading(onLate, this.#deps.timing.answerWithinMs);
      this.#pending.set(id, { resolve, timer });
    });
  }

  /** Ends the socket for a reason; what is in flight is unknown. */
  end(cause: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#openTimer);
    for (const id of this.#pending.keys()) {
      this.#settle(id, { kind: "unknown", reason: cause.message });
    }
    this.#socket.terminate();
    this.#reject(cause);
  }

  /** Resolves when the socket is gone. */
  async close(): Promise<void> {
    this.end(new Error("The session was ended"));
    await this.#closed;
  }

  #begin(): void {
    const { heartbeatEveryMs, openFrameWithinMs } = this.#deps.timing;
    this.#heartbeat = setInterval(() => this.#socket.send(CLIENT_HEARTBEAT), heartbeatEveryMs);
    this.#openTimer = setTimeout(() => this.#isOpen(), openFrameWithinMs);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded) return;
    this.#heardAt = this.#deps.elapsed();
    const frame = isBinary ? undefined : parseFrame((data as Buffer).toString("utf8"));
    switch (frame?.kind) {
      case undefined:
        this.end(new Error("Tradovate sent a frame that cannot be read"));
        return;
      case "open":
        this.#isOpen();
        return;
      case "heartbeat":
        return;
      case "close":
        this.end(new Error(`Tradovate closed the session: ${frame.reason.slice(0, 200)}`));
        return;
      case "messages":
        this.#spokeAt = this.#heardAt;
        this.#messages += frame.messages.length;
        this.#takeAll(frame.messages);
    }
  }

  #takeAll(messages: readonly TradovateMessage[]): void {
    try {
      for (const message of messages) this.#take(message);
      this.#deps.onFrame?.();
    } catch (cause) {
      this.end(cause instanceof Error ? cause : new Error("An event could not be taken"));
    }
  }

  #take(message: TradovateMessage): void {
    if (this.#isEnded) return;
    switch (message.kind) {
      case "answer":
        // An answer that comes again, or after its time, finds nobody waiting.
        this.#settle(message.id, { kind: "answered", answer: message.answer });
        return;
      case "props":
        this.#deps.onProps?.(message.event);
        return;
      case "market":
        this.#deps.onMarket?.(message.event);
        return;
      case "shutdown":
        this.end(new ShutdownError(message.reasonCode, message.reason));
        return;
      case "other":
    }
  }

  #settle(id: number, reply: SocketReply): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.resolve(reply);
  }
}

import type { RawData, WebSocket } from "ws";
import {
  closing,
  type ClosingWords,
  type Completion,
  completion,
  handshakeRefused,
  handshakeTaken,
  invocation,
  parseClientMessage,
  PING,
  RecordReader,
  refusalOfHandshake,
} from "./hub-protocol.ts";
import type { HubSettings } from "./hub-settings.ts";

export type HubName = "user" | "market";

/** A call of a client. */
export interface HubCall {
  readonly target: string;
  readonly args: readonly unknown[];
}

/** What one call comes to. Without an outcome it is never answered. */
export interface CallAnswer {
  readonly outcome: Completion | undefined;
  readonly delayMs?: number;
  /** Runs when the answer has been sent. */
  readonly afterwards?: () => void;
}

export interface HubSocketHost {
  readonly settings: () => HubSettings;
  /** By the broker's time, whether the token is still good. */
  readonly isExpired: () => boolean;
  readonly call: (call: HubCall, socket: HubSocket) => CallAnswer;
  readonly onText: (dir: "in" | "out", text: string) => void;
  readonly onEnd: (reason: string) => void;
}

const LOOK_MS = 50;
const HANDSHAKE_WITHIN_MS = 15_000;
const FRAGMENT = 7;

/** One connection to a hub: the handshake, calls and their answers, pings, and its end. */
export class HubSocket {
  readonly #socket: WebSocket;
  readonly #host: HubSocketHost;
  readonly #reader = new RecordReader();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ticker: NodeJS.Timeout;
  readonly #openedAt = performance.now();
  #heardAt = performance.now();
  #sentAt = performance.now();
  #batch: string[] | undefined;
  #hasShakenHands = false;
  #isHalfOpen = false;
  #isEnded = false;

  constructor(socket: WebSocket, host: HubSocketHost) {
    this.#socket = socket;
    this.#host = host;
    socket.on("message", (data) => this.#receive(data));
    socket.on("close", () => this.#end("The client closed the connection"));
    // A close follows every error.
    socket.on("error", () => undefined);
    this.#ticker = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Calls a method of the client, which answers nothing. */
  tell(target: string, args: readonly unknown[]): void {
    this.tellRaw(invocation(target, args));
  }

  /** Sends a record as it is. */
  tellRaw(record: string): void {
    if (this.#hasShakenHands) this.#write(record);
  }

  /** Ends the connection without a word. */
  cut(reason: string): void {
    this.#end(reason);
    this.#socket.terminate();
  }

  /** Says that it closes, and closes. */
  close(words: ClosingWords): void {
    if (this.#isEnded) return;
    this.#write(closing(words));
    this.#flush();
    this.#end(words.error ?? "The hub closed the connection");
    this.#socket.close();
  }

  /** Nothing is read, answered or sent any more, while TCP stays up. */
  fallSilent(): void {
    this.#isHalfOpen = true;
  }

  #receive(data: RawData): void {
    if (this.#isEnded || this.#isHalfOpen) return;
    const text = (data as Buffer).toString("utf8");
    this.#heardAt = performance.now();
    this.#host.onText("in", text);
    try {
      for (const record of this.#reader.read(text)) this.#take(record);
    } catch (cause) {
      this.close({ error: cause instanceof Error ? cause.message : "Not understood" });
    }
  }

  #take(record: string): void {
    if (this.#isEnded) return;
    if (!this.#hasShakenHands) {
      this.#shakeHands(record);
      return;
    }
    const message = parseClientMessage(record);
    switch (message.kind) {
      case "invocation":
        this.#call(message);
        return;
      case "close":
        this.#end("The client closed the connection");
        this.#socket.close();
        return;
      case "unreadable":
        this.close({ error: `Connection closed with an error. ${message.reason}` });
        return;
      case "ping":
      case "passedOver":
    }
  }

  #shakeHands(record: string): void {
    const refusal = refusalOfHandshake(record);
    if (refusal === undefined) {
      this.#write(handshakeTaken());
      this.#hasShakenHands = true;
      return;
    }
    this.#write(handshakeRefused(refusal));
    this.#flush();
    this.#end(refusal);
    this.#socket.close();
  }

  #call({ invocationId, ...call }: HubCall & { readonly invocationId?: string }): void {
    const { outcome, delayMs = 0, afterwards } = this.#host.call(call, this);
    this.#after(delayMs, () => {
      if (invocationId !== undefined && outcome !== undefined) {
        this.#write(completion(invocationId, outcome));
      }
      afterwards?.();
    });
  }

  #write(record: string): void {
    if (this.#isEnded || this.#isHalfOpen) return;
    this.#sentAt = performance.now();
    if (this.#host.settings().framing !== "joined") {
      this.#flush();
      this.#send(record);
      return;
    }
    if (this.#batch === undefined) {
      this.#batch = [];
      setImmediate(() => this.#flush());
    }
    this.#batch.push(record);
  }

  #flush(): void {
    const batch = this.#batch ?? [];
    this.#batch = undefined;
    if (batch.length > 0 && !this.#isEnded) this.#send(batch.join(""));
  }

  #send(text: string): void {
    this.#host.onText("out", text);
    if (this.#host.settings().framing !== "fragmented") {
      this.#socket.send(text);
      return;
    }
    // Clients see one message; what reads the frames themselves sees several.
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += FRAGMENT) {
      const fin = from + FRAGMENT >= bytes.length;
      this.#socket.send(bytes.subarray(from, from + FRAGMENT), { fin, binary: false });
    }
  }

  #look(): void {
    if (this.#isHalfOpen) return;
    const now = performance.now();
    const { pingMs, dropsSilentAfterMs, expiredHub } = this.#host.settings();
    const silentMs = now - this.#heardAt;
    if (!this.#hasShakenHands) {
      if (now - this.#openedAt > HANDSHAKE_WITHIN_MS) this.cut("No handshake in time");
    } else if (dropsSilentAfterMs > 0 && silentMs > dropsSilentAfterMs) {
      setImmediate(() => this.#closeSilent());
    } else if (expiredHub === "closed" && this.#host.isExpired()) {
      this.close({ error: "The token has expired" });
    } else if (pingMs > 0 && now - this.#sentAt >= pingMs) this.#write(PING);
  }

  /** Words that came while this process was stopped are read first. */
  #closeSilent(): void {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs > this.#host.settings().dropsSilentAfterMs) {
      this.close({ error: "Client timeout" });
    }
  }

  #end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#ticker);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#host.onEnd(reason);
  }

  #after(ms: number, run: () => void): void {
    if (ms === 0) {
      run();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}

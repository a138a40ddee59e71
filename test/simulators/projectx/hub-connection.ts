import type { WebSocket } from "ws";
import {
  type ClientMessage,
  closing,
  completion,
  GREETED,
  type Invocation,
  invocation,
  PING,
  RecordReader,
  refusedHandshake,
} from "./hub-protocol.ts";

export type HubName = "user" | "market";

export interface HubConnectionDeps {
  readonly socket: WebSocket;
  readonly hub: HubName;
  readonly user: string;
  readonly number: number;
  readonly pingMs: number;
  /** Carries out what is asked; the answer is an error in words. */
  readonly onInvocation: (asked: Invocation, connection: HubConnection) => string | undefined;
  readonly onWire: (dir: "in" | "out", text: string) => void;
  readonly onEnd: () => void;
}

/** One client at a hub. */
export class HubConnection {
  readonly hub: HubName;
  readonly user: string;
  readonly number: number;
  /** What it has subscribed to: `orders 460001`, `quotes CON.F.US.EP.Z26`. */
  readonly subscriptions = new Set<string>();
  readonly #deps: HubConnectionDeps;
  readonly #reader = new RecordReader();
  #isGreeted = false;
  #isSilent = false;
  #pinger: NodeJS.Timeout | undefined;

  constructor(deps: HubConnectionDeps) {
    this.#deps = deps;
    this.hub = deps.hub;
    this.user = deps.user;
    this.number = deps.number;
    const { socket } = deps;
    socket.on("message", (data) => this.#onFrame(String(data)));
    socket.on("close", () => this.#end());
    socket.on("error", () => socket.terminate());
    if (deps.pingMs > 0) {
      this.#pinger = setInterval(() => this.#write(PING), deps.pingMs).unref();
    }
  }

  send(target: string, ...given: readonly unknown[]): void {
    if (this.#isGreeted) this.#write(invocation(target, given));
  }

  /** A text as it is, whatever it is. */
  sendRaw(text: string): void {
    this.#write(text);
  }

  /** Open, and dead. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  close(error: string | undefined, allowReconnect: boolean): void {
    this.#write(closing(error, allowReconnect));
    this.#deps.socket.close();
  }

  cut(): void {
    this.#deps.socket.terminate();
  }

  #onFrame(frame: string): void {
    this.#deps.onWire("in", frame);
    if (this.#isSilent) return;
    try {
      for (const message of this.#reader.read(frame)) this.#take(message);
    } catch {
      this.close("Unreadable message", false);
    }
  }

  #take(message: ClientMessage): void {
    switch (message.kind) {
      case "handshake":
        if (!message.isJson) {
          this.#write(refusedHandshake("The protocol is not supported."));
          this.#deps.socket.close();
          return;
        }
        this.#isGreeted = true;
        this.#write(GREETED);
        return;
      case "invocation": {
        const error = this.#deps.onInvocation(message, this);
        const { invocationId } = message;
        if (invocationId !== undefined) this.#write(completion(invocationId, error));
        return;
      }
      case "close":
        this.#deps.socket.close();
        return;
      case "ping":
      case "other":
    }
  }

  #write(text: string): void {
    const { socket, onWire } = this.#deps;
    if (this.#isSilent || socket.readyState !== socket.OPEN) return;
    onWire("out", text);
    socket.send(text);
  }

  #end(): void {
    clearInterval(this.#pinger);
    this.#deps.onEnd();
  }
}

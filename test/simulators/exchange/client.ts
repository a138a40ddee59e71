import assert from "node:assert/strict";
import { type RawData, WebSocket } from "ws";
import {
  CredentialsRefusedError,
  SessionImpossibleError,
} from "../../../src/brokers/session-errors.ts";
import type { AccountId } from "../../../src/domain/ids.ts";
import type { ExecutionReport } from "../../../src/domain/order.ts";
import { openFrame, sealFrame } from "./frames.ts";
import type {
  ExchangeAnswer,
  ExchangeAnswerFrame,
  ExchangeCommand,
  ExchangeLogin,
  ExchangeRead,
  ExchangeReportFrame,
  ExchangeRequest,
} from "./wire.ts";

/** How long the client waits, in milliseconds. */
export interface ExchangeTiming {
  readonly pingEveryMs: number;
  /** After so much silence of the broker its supervisor ends the session. */
  readonly deadAfterMs: number;
  /** After so long without an answer a request's outcome is unknown; the session goes on. */
  readonly answerWithinMs: number;
}

export interface ExchangeClientDeps {
  readonly url: string;
  readonly timing: ExchangeTiming;
  /**
   * Asked right before the frame of a login or command is written, in the same turn of the event
   * loop. When it answers false nothing is written, and the session ends.
   */
  readonly beforeWrite: () => boolean;
  readonly onReport: (account: AccountId, report: ExecutionReport) => void;
}

/** What became of a request. Only `notSent` says that no byte of it left. */
export type ExchangeReply =
  | { readonly kind: "answered"; readonly answer: ExchangeAnswer }
  | { readonly kind: "notSent" | "unknown"; readonly reason: string };

interface Pending {
  readonly resolve: (reply: ExchangeReply) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * One session on one socket: input and output only. What the link may do to frames breaks the
 * session: a frame that cannot be read, a report that is missing, an answer to nothing. A frame that
 * comes twice is taken once.
 */
export class ExchangeClient {
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: ExchangeClientDeps;
  readonly #socket: WebSocket;
  readonly #closed: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #reject: (cause: Error) => void = () => undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastRequest = 0;
  #lastReport = 0;
  #heardAt: number | undefined;
  #isEnded = false;

  constructor(deps: ExchangeClientDeps) {
    this.#deps = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    // Whoever runs the session waits for it too; a break after the end concerns nobody.
    this.broken.catch(() => undefined);
    const handshakeTimeout = deps.timing.deadAfterMs;
    // Without compression a frame is written at once when it is sent.
    this.#socket = new WebSocket(deps.url, { perMessageDeflate: false, handshakeTimeout });
    this.#closed = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("error", (cause) => this.#end(cause));
    this.#socket.on("close", () => this.#end(new Error("The broker closed the session")));
    this.#socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
  }

  /** By `performance.now()`; undefined before the first word. */
  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** Resolves when the session stands; never when it breaks before. */
  async login(login: Omit<ExchangeLogin, "op">): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.once("open", resolve));
    const reply = await this.#send({ op: "login", ...login }, this.#deps.beforeWrite);
    if (reply.kind === "answered" && reply.answer.ok) {
      this.#heartbeat = setInterval(() => this.#beat(), this.#deps.timing.pingEveryMs);
      return;
    }
    this.#end(reply.kind === "answered" ? refusalOf(reply.answer) : loginError(reply.reason));
    await this.broken;
  }

  command(request: ExchangeCommand): Promise<ExchangeReply> {
    return this.#send(request, this.#deps.beforeWrite);
  }

  read(request: ExchangeRead): Promise<ExchangeReply> {
    return this.#send(request, () => true);
  }

  /** Ends the session; what is in flight is unknown. Resolves when the socket is gone. */
  async close(): Promise<void> {
    this.#end(new Error("The session was ended"));
    await this.#closed;
  }

  #send(request: ExchangeRequest, mayWrite: () => boolean): Promise<ExchangeReply> {
    return new Promise((resolve) => {
      const isOpen = !this.#isEnded && this.#socket.readyState === WebSocket.OPEN;
      if (!isOpen) {
        resolve({ kind: "notSent", reason: "The session has ended" });
        return;
      }
      const id = this.#lastRequest + 1;
      const frame = sealFrame({ id, ...request });
      if (!mayWrite()) {
        resolve({ kind: "notSent", reason: "Sending is not allowed any more" });
        this.#end(new Error("Sending is not allowed any more"));
        return;
      }
      this.#socket.send(frame);
      this.#lastRequest = id;
      const onLate = () => this.#settle(id, { kind: "unknown", reason: "No answer in time" });
      // A process that was frozen has not listened: it reads what came meanwhile before the verdict.
      const timer = setTimeout(() => setImmediate(onLate), this.#deps.timing.answerWithinMs);
      this.#pending.set(id, { resolve, timer });
    });
  }

  #settle(id: number, reply: ExchangeReply): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.resolve(reply);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded) return;
    this.#heardAt = performance.now();
    const frame = isBinary ? undefined : openFrame((data as Buffer).toString("utf8"));
    if (frame === undefined) this.#end(new Error("The broker sent a frame that cannot be read"));
    else if ("seq" in frame) this.#take(frame as unknown as ExchangeReportFrame);
    else this.#takeAnswer(frame as unknown as ExchangeAnswerFrame);
  }

  #take({ seq, account, report }: ExchangeReportFrame): void {
    if (seq <= this.#lastReport) return;
    if (seq !== this.#lastReport + 1) {
      this.#end(new Error("A report of the broker is missing"));
      return;
    }
    this.#lastReport = seq;
    this.#deps.onReport(account, report);
  }

  /** An answer that comes again, or after its time, finds nobody waiting. */
  #takeAnswer({ id, ...answer }: ExchangeAnswerFrame): void {
    const isAsked = Number.isSafeInteger(id) && id >= 1 && id <= this.#lastRequest;
    if (isAsked) this.#settle(id, { kind: "answered", answer });
    else this.#end(new Error("The broker answered what was not asked"));
  }

  /** Makes the broker speak, and finds a lost report by the number of the last one. */
  #beat(): void {
    const ping = this.#send({ op: "ping" }, () => true);
    void ping.then((reply) => {
      if (this.#isEnded || reply.kind !== "answered" || !reply.answer.ok) return;
      const { lastReport } = reply.answer.result as { lastReport: number };
      // Frames keep their order, so what was sent before this answer has been received before it.
      if (lastReport > this.#lastReport) this.#end(new Error("A report of the broker is missing"));
    });
  }

  #end(cause: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#heartbeat);
    for (const id of this.#pending.keys()) {
      this.#settle(id, { kind: "unknown", reason: cause.message });
    }
    this.#socket.terminate();
    this.#reject(cause);
  }
}

function refusalOf(answer: ExchangeAnswer): Error {
  assert(!answer.ok);
  const { reason, final } = answer;
  if (final === "credentials") return new CredentialsRefusedError(reason);
  return final === "account" ? new SessionImpossibleError(reason) : loginError(reason);
}

const loginError = (reason: string): Error => new Error(`The login failed: ${reason}`);

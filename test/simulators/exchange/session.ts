import type { RawData, WebSocket } from "ws";
import type { AccountId } from "../../../src/domain/ids.ts";
import type { ExecutionReport } from "../../../src/domain/order.ts";
import { openFrame, sealFrame } from "./frames.ts";
import type { ReportTiming } from "./knobs.ts";
import type { ExchangeAnswer, ExchangeRequestFrame } from "./wire.ts";

/** Whom a session asks what to do. Everything is called while a frame is read. */
export interface SessionHost {
  /** Undefined when the session ended over it and nothing is answered. */
  readonly answer: (
    session: ExchangeSession,
    request: ExchangeRequestFrame,
  ) => ExchangeAnswer | undefined;
  readonly timing: (
    session: ExchangeSession,
    request: ExchangeRequestFrame,
  ) => { readonly delayMs: number; readonly reports: ReportTiming };
  /** A frame that is not carried out: its number came before, or its session is over. */
  readonly onUnused: (
    session: ExchangeSession,
    request: ExchangeRequestFrame,
    outcome: "repeated" | "ignored",
  ) => void;
  readonly onEnd: (session: ExchangeSession, reason: string) => void;
}

/** Reports that wait for their command's answer. */
interface Hold {
  isReleased: boolean;
}

interface WaitingReport {
  readonly report: ExecutionReport;
  readonly hold: Hold | undefined;
}

/** A frame that is repeated comes soon after the first; an older one ends the session. */
const KEPT_ANSWERS = 64;

/**
 * One socket. Frames may be dropped, doubled, swapped or damaged on their way, and none of it may
 * change what is carried out: a number that came before is answered again and not carried out
 * again, and a number that is left out, like a frame that cannot be read, ends the session. From
 * its end on nothing that still arrives is carried out.
 */
export class ExchangeSession {
  readonly number: number;
  /** Set by the login. */
  connection: string | undefined;
  accounts: readonly AccountId[] = [];

  readonly #socket: WebSocket;
  readonly #host: SessionHost;
  readonly #answers = new Map<number, string>();
  readonly #waiting = new Map<AccountId, WaitingReport[]>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #hold: Hold | undefined;
  #lastRequest = 0;
  #lastReport = 0;
  #isEnded = false;

  constructor(number: number, socket: WebSocket, host: SessionHost) {
    this.number = number;
    this.#socket = socket;
    this.#host = host;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", () => this.end("The client closed the socket"));
    // A close follows every error.
    socket.on("error", () => undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The number of the last report that was sent. */
  get lastReport(): number {
    return this.#lastReport;
  }

  /** Sends the report, or keeps it until its command's answer is out, as the knobs say. */
  report(account: AccountId, report: ExecutionReport): void {
    if (this.#isEnded) return;
    const waiting = this.#waiting.get(account) ?? [];
    this.#waiting.set(account, waiting);
    waiting.push({ report, hold: this.#hold });
    this.#flush(account);
  }

  /** Cuts the socket. What still arrives on it is not carried out, and nothing more is sent. */
  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
    this.#socket.terminate();
    this.#host.onEnd(this, reason);
  }

  /** Answers and closes in good order: a login that is refused. */
  endWithAnswer(request: ExchangeRequestFrame, answer: ExchangeAnswer, reason: string): void {
    this.#isEnded = true;
    this.#socket.send(sealFrame({ id: request.id, ...answer }));
    this.#socket.close();
    this.#host.onEnd(this, reason);
  }

  #receive(data: RawData, isBinary: boolean): void {
    const request = isBinary ? undefined : readRequest((data as Buffer).toString("utf8"));
    // The socket may have read on before it was cut.
    if (this.#isEnded) {
      if (request !== undefined) this.#host.onUnused(this, request, "ignored");
    } else if (request === undefined) this.end("A frame could not be read");
    else if (request.id <= this.#lastRequest) this.#repeat(request);
    else if (request.id > this.#lastRequest + 1) this.end("A request is missing");
    else this.#carryOut(request);
  }

  #carryOut(request: ExchangeRequestFrame): void {
    this.#lastRequest = request.id;
    const { delayMs, reports } = this.#host.timing(this, request);
    const hold = reports.order === "afterAnswer" ? { isReleased: false } : undefined;
    this.#hold = hold;
    const answer = this.#host.answer(this, request);
    this.#hold = undefined;
    if (answer === undefined || this.#isEnded) return;

    const frame = sealFrame({ id: request.id, ...answer });
    this.#answers.set(request.id, frame);
    this.#answers.delete(request.id - KEPT_ANSWERS);
    this.#after(delayMs, () => {
      this.#socket.send(frame);
      if (hold !== undefined) this.#after(reports.delayMs, () => this.#release(hold));
    });
  }

  #repeat(request: ExchangeRequestFrame): void {
    const frame = this.#answers.get(request.id);
    this.#host.onUnused(this, request, "repeated");
    if (frame === undefined) this.end("A request is repeated too late");
    else this.#after(this.#host.timing(this, request).delayMs, () => this.#socket.send(frame));
  }

  #release(hold: Hold): void {
    hold.isReleased = true;
    for (const account of this.#waiting.keys()) this.#flush(account);
  }

  /** Reports of one account keep their order: what is held holds up what came after it. */
  #flush(account: AccountId): void {
    const waiting = this.#waiting.get(account) ?? [];
    while (waiting[0] !== undefined && waiting[0].hold?.isReleased !== false) {
      this.#lastReport += 1;
      this.#socket.send(sealFrame({ seq: this.#lastReport, account, report: waiting[0].report }));
      waiting.shift();
    }
    if (waiting.length === 0) this.#waiting.delete(account);
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

function readRequest(text: string): ExchangeRequestFrame | undefined {
  const frame = openFrame(text);
  const isRequest = Number.isSafeInteger(frame?.["id"]) && typeof frame?.["op"] === "string";
  return isRequest ? (frame as unknown as ExchangeRequestFrame) : undefined;
}

import type { RawData, WebSocket } from "ws";
import { ACCESS_DENIED, type Answer, CUT, SILENCE } from "./answer.ts";
import type { Api } from "./api.ts";
import { accountsIn } from "./endpoints.ts";
import type { EventHub } from "./event-hub.ts";
import type { Faults, SocketKind } from "./faults.ts";
import {
  closeFrame,
  HEARTBEAT,
  isHeartbeat,
  messageFrame,
  OPEN,
  parseRequest,
  type SocketRequest,
} from "./frames.ts";
import type { Feed } from "./md-access.ts";
import type { Sessions, TokenSession } from "./sessions.ts";
import { onSocket, type Settings } from "./settings.ts";
import { syncedTypes } from "./syncs.ts";
import type { WireLog } from "../wire-log.ts";

export interface SocketHost {
  /** Whether it came to the address of market data. */
  readonly isMarketData: boolean;
  readonly api: Api;
  readonly faults: Faults;
  readonly hub: EventHub;
  readonly sessions: Sessions;
  readonly wire: WireLog;
  readonly settings: (user: string | undefined) => Settings;
  readonly onAuthorised: (session: SocketSession) => void;
  /** What it asked for while it was cut is not told to it. */
  readonly forget: (session: SocketSession) => void;
  readonly onEnd: (session: SocketSession, reason: string) => void;
}

const CLOSED_BY_BROKER = 3_000;
const LOOK_MS = 100;

/** One WebSocket: authorised by a token, told what happens once it has asked for a sync. */
export class SocketSession {
  readonly number: number;
  /** Set by `authorize`. */
  tokens: TokenSession | undefined;
  /** Where its quotes go, on a market data socket. */
  readonly feed: Feed | undefined;

  readonly #socket: WebSocket;
  readonly #host: SocketHost;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ticker: NodeJS.Timeout;
  readonly #openedAt = performance.now();
  #heardAt = performance.now();
  #sentAt = performance.now();
  #token: string | undefined;
  #unsubscribe: (() => void) | undefined;
  #batch: object[] | undefined;
  #isHalfOpen = false;
  #beats = false;
  #isEnded = false;

  constructor(number: number, socket: WebSocket, host: SocketHost) {
    this.number = number;
    this.#socket = socket;
    this.#host = host;
    this.feed = host.isMarketData ? (message) => this.#message(message) : undefined;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", () => this.#end("The client closed the socket"));
    // A close follows every error.
    socket.on("error", () => undefined);
    this.#ticker = setInterval(() => this.#look(), LOOK_MS).unref();
    if (this.#settings.sendsOpen) this.#write(OPEN);
  }

  get kind(): SocketKind {
    return this.#host.isMarketData ? "md" : "orders";
  }

  /** The one that authorised it. */
  get token(): string | undefined {
    return this.#token;
  }

  get user(): string | undefined {
    return this.tokens?.user.name;
  }

  /** Cuts the socket without a word. */
  cut(reason: string): void {
    this.#end(reason);
    this.#socket.terminate();
  }

  /** Says why, then closes. */
  shutDown(reasonCode: string, reason: string): void {
    if (this.#isEnded) return;
    this.#write(messageFrame([{ e: "shutdown", d: { reasonCode, reason } }]));
    this.#write(closeFrame(CLOSED_BY_BROKER, reason));
    this.#end(reasonCode);
    this.#socket.close();
  }

  /** Nothing is read, answered or sent any more but heartbeats, or not even those; TCP stays up. */
  fallSilent(beats = false): void {
    this.#isHalfOpen = true;
    this.#beats = beats;
  }

  get #settings(): Settings {
    return this.#settingsOf(this.user);
  }

  #settingsOf(user: string | undefined): Settings {
    return onSocket(this.#host.settings(user), this.#host.isMarketData);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded || this.#isHalfOpen || isBinary) return;
    const text = (data as Buffer).toString("utf8");
    this.#heardAt = performance.now();
    this.#host.wire.add({ via: "socket", socket: this.number, dir: "in", user: this.user, text });
    if (isHeartbeat(text)) return;
    const request = parseRequest(text);
    if (request === undefined) this.#message({ s: 400, i: 0, d: "Malformed request" });
    else if (request.endpoint === "authorize") this.#authorise(request);
    else this.#call(request);
  }

  #authorise({ id, body }: SocketRequest): void {
    const { takesQuotedToken, takesMdToken } = this.#settings;
    const isMarketData = this.#host.isMarketData;
    const isQuoted = /^".*"$/.test(body);
    const token = isQuoted ? body.slice(1, -1) : body;
    const checked = this.#host.sessions.check(token);
    const isGood =
      checked.kind === "valid" &&
      (!isQuoted || takesQuotedToken) &&
      (!checked.isMd || takesMdToken) &&
      !this.#settingsOf(checked.session.user.name).wrongEnvironment &&
      !(isMarketData && this.#isShutOut(checked));
    if (!isGood || checked.kind !== "valid") {
      this.#message({ s: 401, i: id, d: ACCESS_DENIED.body });
      return;
    }
    const { session } = checked;
    const { name: user } = session.user;
    const fault = this.#host.faults.take({ endpoint: "authorize", user, socket: this.kind });
    const accept = () => {
      this.#token = token;
      this.tokens = session;
      this.#message({ s: 200, i: id });
      this.#host.onAuthorised(this);
    };
    if (fault?.kind === "silence") return;
    if (fault?.kind === "drop") this.cut("The answer is lost");
    else if (fault?.kind === "status") {
      this.#message({ s: fault.status, i: id, ...(fault.body && { d: fault.body }) });
    } else this.#after(fault?.kind === "delay" ? fault.ms : 0, accept);
  }

  /** Whether the user, or a token for orders, may not see market data. */
  #isShutOut({ session, isMd }: { session: TokenSession; isMd: boolean }): boolean {
    const { mdAccess, mdTakesAccessToken } = this.#settingsOf(session.user.name);
    return mdAccess === "refused" || (!isMd && !mdTakesAccessToken);
  }

  #call({ endpoint, id, query, body }: SocketRequest): void {
    const { api } = this.#host;
    const token = this.#liveToken();
    const { outcome, delayMs } = api.call({
      endpoint,
      query: new URLSearchParams(query),
      bodyText: body,
      token,
      cut: () => this.cut("The answer is lost"),
      socket: this.kind,
      feed: this.feed,
    });
    if (this.#isEnded) this.#host.forget(this);
    if (this.#isEnded || outcome === CUT || outcome === SILENCE) return;
    const isSync = endpoint === "user/syncrequest" && outcome.status === 200;
    const release = isSync ? this.#subscribe(body) : undefined;
    this.#after(delayMs, () => {
      this.#answer(id, outcome);
      release?.();
    });
  }

  /** The newest token of its session, since a renewal is good for the socket too. */
  #liveToken(): string | undefined {
    if (this.tokens === undefined) return undefined;
    const { sessions } = this.#host;
    const isKept = this.#settings.expiredSocket === "keep";
    return sessions.liveToken(this.tokens, isKept) ?? this.#token;
  }

  /** From the snapshot on nothing is missed, and nothing comes before it. */
  #subscribe(body: string): (() => void) | undefined {
    const { tokens } = this;
    if (tokens === undefined) return undefined;
    this.#unsubscribe?.();
    const asked = JSON.parse(body || "{}") as Record<string, unknown>;
    const accounts = accountsIn(asked, tokens.user);
    const named = syncedTypes(asked, this.#settings)?.map((type) => type.toLowerCase());
    const types = named && new Set(named);
    let early: object[] | undefined = [];
    const send = (message: object) => {
      if (early === undefined) this.#message(message);
      else early.push(message);
    };
    this.#unsubscribe = this.#host.hub.subscribe(tokens.user, { accounts, types, send });
    return () => {
      const waiting = early ?? [];
      early = undefined;
      for (const message of waiting) this.#message(message);
    };
  }

  #answer(id: number, { status, body, afterwards }: Answer): void {
    this.#message({ s: status, i: id, ...(body !== undefined && body !== "" && { d: body }) });
    afterwards?.();
  }

  #message(message: object): void {
    if (!this.#settings.batchesFrames) {
      this.#write(messageFrame([message]));
      return;
    }
    if (this.#batch === undefined) {
      this.#batch = [];
      setImmediate(() => this.#flush());
    }
    this.#batch.push(message);
  }

  #flush(): void {
    const batch = this.#batch ?? [];
    this.#batch = undefined;
    if (batch.length > 0) this.#write(messageFrame(batch));
  }

  #write(text: string): void {
    const isMute = this.#isHalfOpen && !(this.#beats && text === HEARTBEAT);
    if (this.#isEnded || isMute) return;
    this.#sentAt = performance.now();
    this.#host.wire.add({ via: "socket", socket: this.number, dir: "out", user: this.user, text });
    this.#socket.send(text);
  }

  #look(): void {
    const now = performance.now();
    const { heartbeatMs, dropsSilentAfterMs, authoriseWithinMs, expiredSocket } = this.#settings;
    if (this.#isHalfOpen) {
      if (heartbeatMs > 0 && now - this.#sentAt >= heartbeatMs) this.#write(HEARTBEAT);
      return;
    }
    const isExpired = this.tokens !== undefined && this.#host.sessions.isExpired(this.tokens);
    const isSilent = dropsSilentAfterMs > 0 && now - this.#heardAt > dropsSilentAfterMs;
    const isLate = this.tokens === undefined && now - this.#openedAt > authoriseWithinMs;
    if (isSilent) setImmediate(() => this.#cutSilent());
    else if (isLate) this.cut("Not authorised in time");
    else if (isExpired && expiredSocket === "cut") this.cut("The token has expired");
    else if (heartbeatMs > 0 && now - this.#sentAt >= heartbeatMs) this.#write(HEARTBEAT);
  }

  /** Words that came while this process was stopped are read first. */
  #cutSilent(): void {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs > this.#settings.dropsSilentAfterMs) this.cut("The client is silent");
  }

  #end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#ticker);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#unsubscribe?.();
    this.#host.onEnd(this, reason);
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

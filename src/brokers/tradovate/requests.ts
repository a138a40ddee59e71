import { setTimeout as sleep } from "node:timers/promises";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import { classifyAnswer, type CommandAnswer, penaltyIn, wordsOf } from "./classify-error.ts";
import { AUTHORIZE, type RateBudget, type RequestPurpose } from "./rate-budget.ts";
import type { TradovateRequest } from "./frames.ts";
import { parsePenalty } from "./parse.ts";
import { SESSION_QUOTA, ShutdownError, type SocketReply, type TradovateSocket } from "./socket.ts";
import type { TradovateAnswer, TradovatePenalty } from "./wire.ts";

export interface RequestsDeps {
  readonly socket: TradovateSocket;
  readonly budget: RateBudget;
  readonly mayWrite: () => boolean;
  /** A command is about to be sent, or was answered. */
  readonly onCommand: () => void;
  /** Gets a new token and authorizes the socket with it; false when that did not work. */
  readonly reauthorize: () => Promise<boolean>;
}

export type TakenAnswer = Extract<CommandAnswer, { kind: "taken" }>;

export interface CommandRequest {
  readonly endpoint: string;
  readonly body: object;
  readonly purpose: RequestPurpose;
  /** Tradovate refuses the cancel of an order that has ended with the same 401 as a dead token. */
  readonly isPointless?: () => boolean;
}

/** A penalty that takes longer is not waited for: an order would come too late. */
const LONGEST_PENALTY_MS = 5_000;
const TURNS = 3;

/** Commands and questions over the socket: the budget before them, penalties and 401 after them. */
export class Requests {
  readonly #deps: RequestsDeps;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /** Sends a command; again only where the broker's word is that nothing was done. */
  async command(request: CommandRequest): Promise<TakenAnswer | CommandFailure> {
    const { socket, budget, mayWrite, onCommand } = this.#deps;
    const { endpoint, purpose } = request;
    let { body } = request;
    let isRenewed = false;
    for (let turn = 0; turn < TURNS; turn += 1) {
      const refusal = budget.take(purpose, endpoint);
      const isTry = refusal !== undefined && (await this.#mayTry(request));
      if (refusal !== undefined && !isTry) return { kind: "notSent", reason: refusal };
      onCommand();
      const reply = await socket.request({ endpoint, body }, { mayWrite });
      onCommand();
      if (reply.kind !== "answered") return reply;
      const answer = classifyAnswer(reply.answer);
      switch (answer.kind) {
        case "penalty": {
          const { penalty } = answer;
          if (isTooMuch(penalty)) return { kind: "notSent", reason: penaltyWords(penalty) };
          await sleep(penalty.waitMs);
          body = { ...request.body, "p-ticket": penalty.ticket };
          break;
        }
        case "unauthorized": {
          const { reason } = answer;
          if (request.isPointless?.() === true) return { kind: "rejected", reason };
          if (isRenewed || !(await this.#deps.reauthorize())) return { kind: "notSent", reason };
          isRenewed = true;
          break;
        }
        case "tooMany":
          budget.heed(endpoint, reply.answer);
          if (!answer.isLockout || isTry || purpose !== "protect") {
            return { kind: "notSent", reason: answer.reason };
          }
          // An exit is tried once more; who else is locked out waits.
          break;
        case "taken":
        case "rejected":
        case "notSent":
        case "unknown":
          if (isTry) budget.open(endpoint);
          return answer;
      }
    }
    return { kind: "notSent", reason: "Tradovate answers with penalties only" };
  }

  /** An exit does not wait for the end of a lockout: whether it still lasts is asked, now and then. */
  async #mayTry({ endpoint, purpose }: CommandRequest): Promise<boolean> {
    const { budget } = this.#deps;
    if (purpose !== "protect" || budget.lockedForMs(endpoint) === 0) return false;
    for (;;) {
      const inMs = budget.exitTriesInMs(endpoint);
      if (inMs === undefined || inMs > LONGEST_PENALTY_MS) return false;
      if (inMs === 0) return budget.tryExit(endpoint);
      await sleep(Math.ceil(inMs));
    }
  }

  /**
   * Asks for entities; undefined where the broker has none. Throws `BrokerReadError`. A token that is
   * refused again after it was renewed ends the session, and so does an answer that does not come in
   * time: exits would wait for it for ever.
   */
  async read(endpoint: string, query = "", purpose: RequestPurpose = "read"): Promise<unknown> {
    return withoutPenalty(await this.#ask({ endpoint, query }, purpose));
  }

  /** The same for what is known well enough without: no answer ends the session only if all is silent. */
  async look(endpoint: string, query: string, purpose: RequestPurpose): Promise<unknown> {
    return withoutPenalty(await this.#ask({ endpoint, query }, purpose, false));
  }

  /** The same for what no session begins without: in spite of a lockout, as exits are tried. */
  async tryRead(endpoint: string): Promise<unknown> {
    const { budget } = this.#deps;
    const isLocked = budget.lockedForMs(endpoint) > 0;
    const data =
      isLocked && budget.tryExit(endpoint)
        ? withoutPenalty(await this.#answer({ endpoint }))
        : await this.read(endpoint, "", "protect");
    if (isLocked || budget.lockedForMs(AUTHORIZE) > 0) budget.open(endpoint);
    return data;
  }

  /** The same for an endpoint that takes a body. */
  async post(endpoint: string, body: object, purpose: RequestPurpose): Promise<unknown> {
    const data = await this.#ask({ endpoint, body }, purpose);
    const penalty = parsePenalty(data);
    if (penalty === undefined) return data;
    if (isTooMuch(penalty)) throw new BrokerReadError(penaltyWords(penalty));
    await sleep(penalty.waitMs);
    return await this.#ask({ endpoint, body: { ...body, "p-ticket": penalty.ticket } }, purpose);
  }

  /**
   * The same for what may need a permission that this login lacks: undefined where it was refused. A
   * token that is over is answered in the same words, so that only the next question tells which it was.
   */
  async postIfAllowed(endpoint: string, body: object, purpose: RequestPurpose): Promise<unknown> {
    const refusal = this.#deps.budget.take(purpose, endpoint);
    if (refusal !== undefined) throw new BudgetUsedUpError(refusal);
    const reply = await this.#deps.socket.request({ endpoint, body }, { isNeeded: true });
    if (reply.kind !== "answered") throw new BrokerReadError(reply.reason);
    if (NOT_ALLOWED.has(reply.answer.status)) return undefined;
    return withoutPenalty(this.#dataOf(endpoint, reply.answer));
  }

  async #ask(
    request: TradovateRequest,
    purpose: RequestPurpose,
    isNeeded = true,
  ): Promise<unknown> {
    const refusal = this.#deps.budget.take(purpose, request.endpoint);
    if (refusal !== undefined) throw new BudgetUsedUpError(refusal);
    return await this.#answer(request, isNeeded);
  }

  async #answer(request: TradovateRequest, isNeeded = true): Promise<unknown> {
    const { socket } = this.#deps;
    let reply = await socket.request(request, { isNeeded });
    if (isUnauthorized(reply) && (await this.#deps.reauthorize())) {
      reply = await socket.request(request, { isNeeded });
    }
    if (reply.kind !== "answered") throw new BrokerReadError(reply.reason);
    return this.#dataOf(request.endpoint, reply.answer);
  }

  #dataOf(endpoint: string, answer: TradovateAnswer): unknown {
    const { socket, budget } = this.#deps;
    const { status, data } = answer;
    if (status === 200 || penaltyIn(answer) !== undefined) return data;
    if (status === 404) return undefined;
    const words = wordsOf(data) ?? `Tradovate answered ${status}`;
    // A session that a later login has ended is answered so, with its socket still up.
    if (status === 408) socket.end(new ShutdownError(SESSION_QUOTA, words));
    if (status === 401 || status === 502) {
      socket.end(new Error(`Tradovate refuses the token: ${words}`));
    }
    if (budget.heed(endpoint, answer) !== undefined) throw new BudgetUsedUpError(words);
    throw new BrokerReadError(words);
  }
}

/** How a request may be answered that asks for something one is not shown. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Nothing was answered, for too much was asked already; what may still be asked is kept for exits. */
export class BudgetUsedUpError extends BrokerReadError {}

const isTooMuch = ({ isCaptcha, waitMs }: TradovatePenalty): boolean =>
  isCaptcha || waitMs > LONGEST_PENALTY_MS;

const penaltyWords = ({ isCaptcha, message }: TradovatePenalty): string =>
  `Tradovate asks for ${isCaptcha ? "a captcha" : "a pause"}${
    message === undefined ? "" : `: ${message}`
  }`;

function withoutPenalty(data: unknown): unknown {
  const penalty = parsePenalty(data);
  if (penalty !== undefined) throw new BudgetUsedUpError(penaltyWords(penalty));
  return data;
}

const isUnauthorized = (reply: SocketReply): boolean =>
  reply.kind === "answered" && reply.answer.status === 401;

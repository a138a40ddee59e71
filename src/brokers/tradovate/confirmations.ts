import type { CommandFailure, CommandOutcome } from "../../trading/ports.ts";
import type { EntityStore } from "./entity-store.ts";
import { hasEnded, isPending, isRefused } from "./order-status.ts";
import { textOf, wordsOfCommand } from "./order-view.ts";
import type { TradovateSession } from "./session.ts";

/** An accepted order may be refused by the risk check right after; so long that is waited for. */
const RISK_CHECK_MS = 2_000;
/** The refusal's words may come right after it. */
const WORDS_WITHIN_MS = 200;
/** A change or cancel is only queued when it is answered. */
const CONFIRMED_WITHIN_MS = 3_000;

export const unknownOutcome = (reason: string): CommandFailure => ({ kind: "unknown", reason });

/** Waits until the socket has told what became of orders and commands that the broker took in. */
export class Confirmations {
  readonly #session: TradovateSession;
  readonly #store: EntityStore;

  constructor(session: TradovateSession) {
    this.#session = session;
    this.#store = session.store;
  }

  /** Undefined when the order was taken, as far as the time allows to know; else its refusal. */
  async refusalOf(order: number | undefined): Promise<CommandFailure | undefined> {
    if (order === undefined) return unknownOutcome("The answer does not name both orders");
    // Named but not refused in time: it is the broker's word that the order is there, and a refusal
    // that comes later is reported like any other.
    await this.#session.until(() => !this.#isPending(order), RISK_CHECK_MS);
    const isTold = this.#store.get("order", order) !== undefined;
    if (!isTold && !(await this.#session.lookFor(order))) {
      return unknownOutcome("Tradovate has taken the order and shows it nowhere");
    }
    if (!this.#isRejected(order) || this.#store.of("fill", order).length > 0) return undefined;
    const words = await this.#words(() => textOf(this.#store, { id: order }));
    const reason = words ?? "Tradovate rejected the order without a reason";
    return { kind: "rejected", reason };
  }

  /** The leg's id once it is there; an answer has named legs that never were. */
  async standing(leg: number | undefined): Promise<number | undefined> {
    if (leg === undefined) return undefined;
    const isThere = await this.#session.until(() => !this.#isPending(leg), RISK_CHECK_MS);
    return isThere && !this.#isRejected(leg) ? leg : undefined;
  }

  /** Waits for what proves that a command was carried out, or that it was not. */
  async outcomeOf(
    { command, order }: { readonly command: number; readonly order: number },
    isDone: () => boolean,
  ): Promise<CommandOutcome> {
    const wasRefused = () => isRefused(this.#store.get("command", command)?.commandStatus ?? "");
    await this.#session.until(() => isDone() || wasRefused(), CONFIRMED_WITHIN_MS);
    const isTold = isDone() || this.#store.get("command", command) !== undefined;
    if (!isTold) await this.#session.lookFor(order);
    if (wasRefused()) {
      const words = await this.#words(() => wordsOfCommand(this.#store, command));
      return { kind: "rejected", reason: words ?? "Tradovate refused the change" };
    }
    return isDone()
      ? { kind: "accepted" }
      : unknownOutcome("Tradovate has not confirmed it in time");
  }

  hasEnded(order: number): boolean {
    return hasEnded(this.#store.get("order", order)?.ordStatus ?? "");
  }

  isFilled(order: number): boolean {
    return this.#store.get("order", order)?.ordStatus === "Filled";
  }

  async #words(read: () => string | undefined): Promise<string | undefined> {
    await this.#session.until(() => read() !== undefined, WORDS_WITHIN_MS);
    return read();
  }

  #isPending(order: number): boolean {
    return isPending(this.#store.get("order", order)?.ordStatus ?? "Unknown");
  }

  #isRejected(order: number): boolean {
    return this.#store.get("order", order)?.ordStatus === "Rejected";
  }
}

import { RelayedBroker } from "../../../src/trading/lane/owned-broker.ts";
import type { Broker, CommandFailure } from "../../../src/trading/ports.ts";

/** What goes wrong with one command on its way to the broker, or with its answer. */
export const TROUBLES = [
  /** Carried out, and the answer is lost. */
  "answerLost",
  /** Under way when the caller gives up: carried out a moment later. */
  "late",
  /** Never arrives, and nobody can say so. */
  "never",
  /** The owner dies before the byte leaves, or with the answer unread. */
  "diesBefore",
  "diesAfter",
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Hears of each command: when it leaves, and when the broker has carried it out. */
export interface Wire {
  readonly onSent: () => void;
  readonly onCarriedOut: () => void;
}

const LOST: CommandFailure = { kind: "unknown", reason: "The answer was lost" };

/**
 * A broker on a bad line. It loses what it was told to lose, once; reads always say how things stand
 * at the broker.
 */
export class LossyBroker extends RelayedBroker {
  readonly #wire: Wire;
  #trouble: { readonly kind: Trouble; left: number } | undefined;
  #troubles = 0;
  #late: (() => Promise<unknown>)[] = [];
  #onDeath: () => void = () => undefined;

  constructor(broker: Broker, wire: Wire) {
    super(broker);
    this.#wire = wire;
  }

  /** The `nth` command from now on meets with it. */
  expect(kind: Trouble, nth: number): void {
    this.#trouble = { kind, left: nth };
  }

  /** How often something went wrong. */
  get troubles(): number {
    return this.#troubles;
  }

  /** Nothing is expected any more. */
  calm(): void {
    this.#trouble = undefined;
  }

  /** Once whoever sends now has died. Who died never hears an answer. */
  death(): Promise<"died"> {
    return new Promise((resolve) => (this.#onDeath = () => resolve("died")));
  }

  /** What is late arrives. */
  async deliver(): Promise<void> {
    for (const carryOut of this.#late.splice(0)) await carryOut();
  }

  protected override async send<Answer extends { readonly kind: string }>(
    run: () => Promise<Answer>,
  ): Promise<Answer | CommandFailure> {
    const carryOut = async () => {
      const answer = await run();
      if (answer.kind === "accepted") this.#wire.onCarriedOut();
      return answer;
    };
    this.#wire.onSent();
    switch (this.#takeTrouble()) {
      case undefined:
        return await carryOut();
      case "answerLost":
        await carryOut();
        return LOST;
      case "late":
        this.#late.push(carryOut);
        return LOST;
      case "never":
        return LOST;
      case "diesBefore":
        return await this.#die();
      case "diesAfter":
        await carryOut();
        return await this.#die();
    }
  }

  #takeTrouble(): Trouble | undefined {
    if (this.#trouble === undefined) return undefined;
    this.#trouble.left -= 1;
    if (this.#trouble.left > 0) return undefined;
    const { kind } = this.#trouble;
    this.#trouble = undefined;
    this.#troubles += 1;
    return kind;
  }

  async #die(): Promise<never> {
    this.#onDeath();
    return await new Promise<never>(() => undefined);
  }
}

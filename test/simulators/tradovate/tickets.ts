import { randomBytes } from "node:crypto";
import { type Answer, ok } from "./answer.ts";
import type { Body } from "./order-request.ts";

interface Ticket {
  readonly endpoint: string;
  readonly goodFrom: number;
  readonly seconds: number;
  readonly captcha: boolean;
}

/**
 * Time penalties. What is asked is not carried out but answered with a ticket; asked again with the
 * ticket after its time, it is. Too soon, or with a ticket that only a person could use, it gets
 * another one.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #open = new Map<string, Ticket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(endpoint: string, seconds: number, captcha = false): Answer {
    const ticket = randomBytes(18).toString("base64url");
    const goodFrom = this.#now() + seconds * 1_000;
    this.#open.set(ticket, { endpoint, goodFrom, seconds, captcha });
    return ok({
      "p-ticket": ticket,
      "p-time": seconds,
      "p-captcha": captcha,
      ...(captcha && { "p-message": "Please confirm that you are not a robot" }),
    });
  }

  /** Undefined when nothing stands in the way; a ticket that is good is used up. */
  check(endpoint: string, body: Body): Answer | undefined {
    const name = body["p-ticket"];
    const ticket = typeof name === "string" ? this.#open.get(name) : undefined;
    if (typeof name !== "string" || ticket === undefined) return undefined;
    this.#open.delete(name);
    const { goodFrom, seconds, captcha } = ticket;
    const isGood = !captcha && goodFrom <= this.#now() && ticket.endpoint === endpoint;
    return isGood ? undefined : this.issue(endpoint, seconds, captcha);
  }
}

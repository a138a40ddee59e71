import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One alert as it was answered. */
export interface Answered {
  readonly hook: string;
  /** Undefined when the call got no answer. */
  readonly status: number | undefined;
  /** From the time it was due, not from when it could be sent: a queue in front counts too. */
  readonly ms: number;
}

const ANSWER_WITHIN_MS = 10_000;

/** Posts alerts over connections that stay open. */
export class AlertPoster {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #run = Date.now();
  #count = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Each account buys and sells in turn; each alert has a name of its own, so none is another one's repeat. */
  async post(hook: string, round: number, dueAt = performance.now()): Promise<Answered> {
    this.#count += 1;
    const action = round % 2 === 0 ? "buy" : "sell";
    const alertId = `${this.#run}-${this.#count}`;
    const body = JSON.stringify({ action, symbol: "MNQ1!", qty: 1, alertId });
    const status = await this.#send(hook, body).catch(() => undefined);
    return { hook, status, ms: performance.now() - dueAt };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(path: string, body: string): Promise<number | undefined> {
    const { hostname, port } = this.#url;
    const headers = { "content-type": "application/json" };
    return await new Promise((resolve, reject) => {
      const options = { hostname, port, path, method: "POST", agent: this.#agent, headers };
      const call = request(options, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
        answer.once("error", reject);
      });
      call.once("error", reject);
      call.setTimeout(ANSWER_WITHIN_MS, () => call.destroy(new Error("There was no answer")));
      call.end(body);
    });
  }
}

/** Open loop: posts at the rate given, over the hooks in turn, however long the answers take. */
export async function postAtRate(
  poster: AlertPoster,
  hooks: readonly string[],
  { perSecond, seconds, signal }: { perSecond: number; seconds: number; signal: AbortSignal },
): Promise<Answered[]> {
  const count = Math.round(perSecond * seconds);
  const startAt = performance.now();
  const open: Promise<Answered>[] = [];
  while (open.length < count) {
    const dueAt = startAt + (open.length / perSecond) * 1_000;
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early, undefined, { signal });
    const hook = hooks[open.length % hooks.length] ?? "";
    open.push(poster.post(hook, Math.floor(open.length / hooks.length), dueAt));
  }
  return await Promise.all(open);
}

/** Closed loop: so many alerts in all, so many at a time. */
export async function postAll(
  poster: AlertPoster,
  hooks: readonly string[],
  { count, together, signal }: { count: number; together: number; signal: AbortSignal },
): Promise<Answered[]> {
  const answers: Answered[] = [];
  let next = 0;
  const post = async () => {
    while (next < count && !signal.aborted) {
      const number = next;
      next += 1;
      const hook = hooks[number % hooks.length] ?? "";
      answers.push(await poster.post(hook, Math.floor(number / hooks.length)));
    }
  };
  await Promise.all(Array.from({ length: together }, post));
  signal.throwIfAborted();
  return answers;
}

export const isError = ({ status }: Answered): boolean =>
  status === undefined || status < 200 || status > 299;

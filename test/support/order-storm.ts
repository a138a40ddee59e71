import { setTimeout as sleep } from "node:timers/promises";
import { apiClient, postAlert, type Reply } from "./http-client.ts";

/** One order that was posted, and what its caller was told. */
export interface Posted {
  readonly account: string;
  readonly via: "api" | "webhook";
  /** When it was posted, by `performance.now()`. */
  readonly postedAt: number;
  readonly tookMs: number;
  /** Undefined when the connection broke before there was an answer. */
  readonly reply: Reply | undefined;
}

export interface Sender {
  readonly account: string;
  readonly via: "api" | "webhook";
  readonly post: (number: number) => Promise<Reply>;
}

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

export function apiSender(base: string, key: string, account: string): Sender {
  const api = apiClient(base, key);
  const post = async () => await api.post(`/v1/accounts/${account}/orders`, ORDER);
  return { account, via: "api", post };
}

/** Each alert says something of its own: none is another one's repeat. */
export function alertSender(url: string, account: string): Sender {
  const post = async (number: number) =>
    await postAlert(url, { ...ORDER, comment: `storm ${number}` });
  return { account, via: "webhook", post };
}

export interface Storm {
  readonly posted: readonly Posted[];
  /** Posts nothing more, and resolves when everything is answered. */
  readonly end: () => Promise<readonly Posted[]>;
}

/** Posts orders of one contract each, from every sender and steadily, until it is ended. */
export function startStorm(senders: readonly Sender[], everyMs = 40): Storm {
  const posted: Posted[] = [];
  const open = new Set<Promise<void>>();
  let isOn = true;
  let number = 0;

  async function postOne({ account, via, post }: Sender): Promise<void> {
    const postedAt = performance.now();
    const reply = await post((number += 1)).catch(() => undefined);
    posted.push({ account, via, postedAt, tookMs: performance.now() - postedAt, reply });
  }

  async function blow(sender: Sender): Promise<void> {
    while (isOn) {
      const one = postOne(sender);
      open.add(one);
      void one.then(() => open.delete(one));
      await sleep(everyMs);
    }
  }

  const blowing = senders.map(blow);
  return {
    posted,
    end: async () => {
      isOn = false;
      await Promise.all(blowing);
      await Promise.all(open);
      return posted;
    },
  };
}

/** Filled, and answered so. */
export function isSuccess({ reply }: Posted): boolean {
  return reply?.status === 201 || (reply?.status === 200 && reply.body.outcome === "done");
}

/** What a caller who was not told the outcome can look up; undefined when nothing was to be left. */
export function intentToLookUp({ reply }: Posted): string | undefined {
  return reply?.body?.error?.intentId ?? reply?.body?.intentId;
}

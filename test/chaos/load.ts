import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { ask, type Request } from "./ask.ts";
import type { Cluster } from "./cluster.ts";
import { type Attempt, type Call, isSafe } from "./ledger.ts";
import type { Member } from "./member.ts";
import type { Owners } from "./owners.ts";
import type { PlannedCall, Wish } from "./wishes.ts";

const RETRY_AFTER_MS = 150;
const MOST_ATTEMPTS = 4;
/** So many calls are open at one time: a caller that gets no answers does not call faster and faster. */
const MOST_OPEN = 400;
/** Round prices of the S&P far from the market, so that the orders rest. */
const RESTING_PRICE = { buy: 6_000, sell: 8_000 };
const SYMBOL = "MES1!";

/** Sends what is planned at the planned times, through every process that takes calls in. */
export class Load {
  readonly calls: Call[] = [];
  readonly #cluster: Cluster;
  readonly #ingress: readonly Member[];
  readonly #owners: Owners;
  readonly #accounts: readonly string[];
  readonly #hooks: ReadonlyMap<string, string>;
  readonly #apiKey: string;
  readonly #open = new Set<Promise<void>>();
  /** Orders that rest, as far as their senders were told. */
  readonly #resting = new Map<string, string[]>();

  private constructor(
    cluster: Cluster,
    owners: Owners,
    apiKey: string,
    hooks: ReadonlyMap<string, string>,
  ) {
    this.#cluster = cluster;
    this.#owners = owners;
    this.#ingress = cluster.members.filter(({ takesCalls }) => takesCalls);
    this.#accounts = cluster.called;
    this.#apiKey = apiKey;
    this.#hooks = hooks;
  }

  /** Makes a webhook for each account that calls are for. */
  static async open(cluster: Cluster, owners: Owners): Promise<Load> {
    const { apiKey } = cluster.members.find((member) => member.apiKey !== undefined) ?? {};
    const { url = "" } = cluster.members.find(({ takesCalls }) => takesCalls) ?? {};
    if (apiKey === undefined) throw new Error("The first start handed out no key");
    const api = apiClient(url, apiKey);
    const hooks = new Map<string, string>();
    for (const accountId of cluster.called) {
      await waitUntil(`${accountId} is known`, async () => {
        const { status, body } = await api.post("/v1/webhooks", { accountId });
        if (status === 201) hooks.set(accountId, new URL(body.url as string).pathname);
        return status === 201;
      });
    }
    return new Load(cluster, owners, apiKey, hooks);
  }

  get apiKey(): string {
    return this.#apiKey;
  }

  /** Resolves when all is sent and answered. */
  async run(plan: Iterable<PlannedCall>, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    for (const planned of plan) {
      const waitMs = planned.atMs - (performance.now() - startedAt);
      if (waitMs > 0) await sleep(waitMs);
      while (this.#open.size >= MOST_OPEN) await Promise.race(this.#open);
      if (signal.aborted) break;
      const call: Promise<void> = this.#call(planned).finally(() => this.#open.delete(call));
      this.#open.add(call);
    }
    await Promise.all(this.#open);
  }

  async #call(plan: PlannedCall): Promise<void> {
    const account = this.#accounts[plan.account] ?? "";
    const request = this.#requestOf(plan, account);
    const copies = Array.from({ length: plan.copies }, async (_, copy) => {
      // Some together, some after the first one was answered or not.
      await sleep(copy * plan.gapMs);
      return await this.#untilAccepted(plan, copy, request);
    });
    const attempts = (await Promise.all(copies)).flat();
    this.calls.push({ plan, account, attempts });
    const rests = plan.wish.kind === "order" && plan.wish.type === "limit";
    if (rests) this.#noteResting(account, attempts);
  }

  /** Asks again, elsewhere, only where certainly nothing was accepted. */
  async #untilAccepted(plan: PlannedCall, copy: number, request: Request): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    while (attempts.length < MOST_ATTEMPTS) {
      if (attempts.length > 0) await sleep(RETRY_AFTER_MS);
      const n = attempts.length;
      const owner = plan.isForOwner && n === 0 ? this.#ownerOf(plan) : undefined;
      const ingress = owner ?? this.#ingress[(plan.ingress + copy + n) % this.#ingress.length];
      if (ingress === undefined) break;
      const requestId = `c${plan.number}.${copy}.${n}`;
      const attempt = await ask(ingress, request, { apiKey: this.#apiKey, requestId });
      attempts.push(attempt);
      if (!isSafe(attempt)) break;
    }
    return attempts;
  }

  #ownerOf({ account }: PlannedCall): Member | undefined {
    const { wires } = this.#cluster;
    const wire = wires[Math.floor((account * wires.length) / this.#accounts.length)];
    return this.#owners.of(wire?.connection ?? "");
  }

  #requestOf({ number, via, copies, isNamed, wish }: PlannedCall, account: string): Request {
    const key = copies > 1 ? { key: `key-${number}` } : {};
    // The same in all copies; a comment is not read, and makes the body another one.
    const name = isNamed ? { alertId: `call ${number}` } : { comment: `call ${number}` };
    const hook = { method: "POST", path: this.#hooks.get(account) ?? "" } as const;
    const base = `/v1/accounts/${account}`;
    const resting = wish.kind === "cancel" ? this.#resting.get(account)?.shift() : undefined;
    if (resting !== undefined) return { method: "DELETE", path: `${base}/orders/${resting}` };
    if (wish.kind === "flatten") {
      if (via === "webhook") return { ...hook, body: { action: "close", ...name } };
      return { method: "DELETE", path: `${base}/positions` };
    }
    const body = bodyOf(wish);
    if (via === "webhook") return { ...hook, body: { ...body, ...name } };
    return { method: "POST", path: `${base}/orders`, body, ...key };
  }

  #noteResting(account: string, attempts: readonly Attempt[]): void {
    const orderId = attempts.find(({ told }) => told.orderId !== undefined)?.told.orderId;
    if (orderId === undefined) return;
    this.#resting.set(account, [...(this.#resting.get(account) ?? []), orderId]);
  }
}

/** Where nothing rests that could be cancelled, an order is placed that will rest. */
function bodyOf(wish: Exclude<Wish, { kind: "flatten" }>): object {
  switch (wish.kind) {
    case "order":
      return { symbol: SYMBOL, ...orderOf(wish) };
    case "cancel":
      return { symbol: SYMBOL, ...restingOrder("buy", 1) };
    case "target":
      return { symbol: SYMBOL, position: wish.netQty };
    case "reverse":
      return { symbol: SYMBOL, action: "reverse" };
    case "reduce":
      return { symbol: SYMBOL, action: "reduce", qty: wish.qty };
  }
}

function orderOf({ action, qty, type, hasBracket }: Extract<Wish, { kind: "order" }>): object {
  if (type === "limit") return restingOrder(action, qty);
  const far = { ticks: 800 };
  return { action, qty, ...(hasBracket && { bracket: { takeProfit: far, stopLoss: far } }) };
}

const restingOrder = (action: "buy" | "sell", qty: number): object => ({
  action,
  qty,
  type: "limit",
  limitPrice: RESTING_PRICE[action],
});

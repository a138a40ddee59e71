import { setTimeout as sleep } from "node:timers/promises";
import { ask, type Request } from "./ask.ts";
import type { Cluster } from "./cluster.ts";
import { type Attempt, type Call, isSafe, type StoppedBy } from "./ledger.ts";
import type { Member } from "./member.ts";
import type { Owners } from "./owners.ts";
import { apiClient } from "../support/http-client.ts";

/** Their numbers are no other call's. */
const FIRST_NUMBER = 1_000_000;
const PAUSE_MS = 100;
const AGAIN_AFTER_MS = 200;
/** What was not answered may still come: longer than a caller waits, and than anything is frozen. */
const LATE_MS = 20_000;
/** An account's first order. A limit is only ever lowered, so each time what is ordered is one less. */
const FIRST_QTY = 200;

/**
 * On accounts of their own, callers order in turns while nothing stops them and while something does:
 * a limit, or the end of their webhook. What they ask for as soon as they were told that it stands must
 * never reach the broker, whatever any process remembers.
 */
export class Stopping {
  readonly calls: Call[] = [];
  readonly #cluster: Cluster;
  readonly #owners: Owners;
  readonly #apiKey: string;
  readonly #doors: readonly Member[];

  constructor(cluster: Cluster, owners: Owners, apiKey: string) {
    this.#cluster = cluster;
    this.#owners = owners;
    this.#apiKey = apiKey;
    this.#doors = cluster.members.filter(({ takesCalls }) => takesCalls);
  }

  /** Resolves once everything that was asked is answered, after the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { stoppable, wires } = this.#cluster;
    const loops = stoppable.map(async (account, n) => {
      const connection = wires[Math.floor((n * wires.length) / stoppable.length)]?.connection ?? "";
      let qty = FIRST_QTY;
      for (let round = n; !signal.aborted; round += 1) {
        const by = round % 2 === 0 && qty > 1 ? "limit" : "webhook";
        await this.#round({ account, connection, qty, signal }, by);
        if (by === "limit") qty -= 1;
      }
    });
    await Promise.all(loops);
  }

  async #round(place: Place, by: StoppedBy): Promise<void> {
    const hook = await this.#webhook(place);
    if (hook === undefined) return;
    // Whatever the owner remembers, it remembers from here.
    await this.#order(place, hook.path);
    await this.#order(place, hook.path);
    const stop = stopBy(by, { ...place, webhook: hook.id });
    const end = await this.#untilDone(stop, place.signal);
    if (end === "aborted") return;
    await this.#order(place, hook.path, by);
    await this.#order(place, hook.path, by);
    if (end === "late") await sleep(LATE_MS, undefined, { signal: place.signal }).catch(nothing);
    await sleep(PAUSE_MS);
  }

  async #webhook({ account, signal }: Place): Promise<Hook | undefined> {
    while (!signal.aborted) {
      const { url } = this.#anyDoor() ?? {};
      const api = apiClient(url ?? "", this.#apiKey);
      const reply = await api.post("/v1/webhooks", { accountId: account }).catch(nothing);
      if (reply?.status === 201) {
        const { id, url: hook } = reply.body as { readonly id: string; readonly url: string };
        return { id, path: new URL(hook).pathname };
      }
      await sleep(AGAIN_AFTER_MS);
    }
    return undefined;
  }

  /** One alert, at the process that could run it ahead; never asked for again. */
  async #order(
    { account, connection, qty }: Place,
    path: string,
    stoppedBy?: StoppedBy,
  ): Promise<void> {
    const member = this.#owners.of(connection) ?? this.#anyDoor();
    if (member === undefined) return;
    const number = FIRST_NUMBER + this.calls.length;
    const alertId = `stop ${account} ${number}`;
    const order = { symbol: "MES1!", action: "buy", qty } as const;
    const request = { method: "POST", path, body: { ...order, alertId } } as const;
    const sender = { apiKey: this.#apiKey, requestId: `s${account}.${number}` };
    const attempts: Attempt[] = [];
    const asked = { copies: 1, gapMs: 0, isNamed: true, isForOwner: true } as const;
    const wish = { kind: "order", type: "market", hasBracket: false, action: "buy", qty } as const;
    const plan = { number, atMs: 0, account: 0, via: "webhook", ingress: 0, wish } as const;
    this.calls.push({
      plan: { ...plan, ...asked },
      account,
      attempts,
      ...(stoppedBy !== undefined && { stoppedBy }),
    });
    attempts.push(await ask(member, request, sender));
  }

  /** `late` where an attempt was not answered, and may come to be done after this. */
  async #untilDone(change: Request, signal: AbortSignal): Promise<"done" | "late" | "aborted"> {
    let end: "done" | "late" = "done";
    while (!signal.aborted) {
      const member = this.#anyDoor();
      if (member !== undefined) {
        const sender = { apiKey: this.#apiKey, requestId: "change" };
        const attempt = await ask(member, change, sender);
        const { status = 0 } = attempt;
        // What was not answered before may have ended the webhook.
        const isGone = change.method === "DELETE" && status === 404;
        if ((status >= 200 && status < 300) || isGone) return end;
        if (!isSafe(attempt)) end = "late";
      }
      await sleep(AGAIN_AFTER_MS);
    }
    return "aborted";
  }

  #anyDoor(): Member | undefined {
    const up = this.#doors.filter(({ isUp }) => isUp);
    return up[Math.floor(Math.random() * up.length)];
  }
}

interface Place {
  readonly account: string;
  readonly connection: string;
  readonly qty: number;
  readonly signal: AbortSignal;
}

interface Stop {
  readonly account: string;
  readonly qty: number;
  readonly webhook: string;
}

interface Hook {
  readonly id: string;
  readonly path: string;
}

function stopBy(by: StoppedBy, { account, qty, webhook }: Stop): Request {
  if (by === "webhook") return { method: "DELETE", path: `/v1/webhooks/${webhook}` };
  const body = { maxOrderQty: qty - 1 };
  return { method: "PUT", path: `/v1/accounts/${account}/limits`, body };
}

const nothing = (): undefined => undefined;

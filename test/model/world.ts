import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { type Listed, frontMonth, type TestGateway } from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { Book } from "./book.ts";
import { brokenPromises } from "./invariants.ts";
import { type Action, filledInAll, pathOf, readView, type View } from "./view.ts";

export type Root = "ES" | "NQ";

/** Where the prices of every sequence begin, in ticks. */
const START: Readonly<Record<Root, number>> = { ES: 27_400, NQ: 100_000 };
/** More than anyone asks for. */
export const DEEP = 1_000_000;
/**
 * Legs without a position may stand so long. An account is looked at so often as well: a process that
 * was not let run for that time has not looked, and the gateway in it has not worked.
 */
const KEPT = { withinMs: 5_000, looks: 80 };
const QUIET = { withinMs: 2_500, looks: 40 };
/** A look takes more of a processor than a command. */
const LONGEST_PAUSE_MS = 50;
const ANSWERED_WITHIN_MS = 30_000;

export const LISTED: Readonly<Record<Root, Listed>> = {
  ES: frontMonth("ES"),
  NQ: frontMonth("NQ"),
};
export const ROOTS = ["ES", "NQ"] as const;
export const symbolOf = (root: Root): string => LISTED[root].symbol;
export const rootOf = (symbol: string): Root => (symbol.startsWith("ES") ? "ES" : "NQ");

/** What the gateway under test can do, as far as it is still being built. */
export interface Abilities {
  readonly keepsLegs: boolean;
  readonly modifies: boolean;
}

/** One account of a sequence: its book, and how it looked when it was last quiet. */
export interface Trader {
  readonly account: string;
  readonly webhook: string;
  readonly book: Book;
  view: View;
}

/** What a call came to: at once, or as its intent tells it later. */
export interface Answer {
  readonly isDone: boolean;
  readonly status: number;
  /** The error's code, or the state of an intent that was answered later. */
  readonly code: string | undefined;
  readonly message: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the bodies of answers are read freely
  readonly body: any;
}

/** What a long run was made of. */
export interface Tally {
  readonly counts: Map<string, number>;
  readonly add: (name: string) => void;
}

const NOTHING: View = { positions: {}, working: [], trades: [], unsettled: 0 };

/** The gateway, its market and the accounts of one sequence. */
export class World {
  readonly gateway: TestGateway;
  readonly abilities: Abilities;
  readonly tally: Tally;
  readonly traders: readonly Trader[];
  readonly bids: Record<Root, number> = { ...START };
  /** There is too little to trade with, until an exit waits for more. */
  isThin = false;
  #alerts = 0;

  constructor(
    gateway: TestGateway,
    { abilities, tally, traders }: Pick<World, "abilities" | "tally" | "traders">,
  ) {
    this.gateway = gateway;
    this.abilities = abilities;
    this.tally = tally;
    this.traders = traders;
  }

  trader(nth: number): Trader {
    const found = this.traders[nth];
    if (found === undefined) throw new Error(`There is no trader ${nth}`);
    return found;
  }

  move(root: Root, ticks: number, size: number): void {
    this.bids[root] += ticks;
    this.gateway.quote(LISTED[root], this.bids[root], size);
  }

  resetMarket(): void {
    for (const root of ROOTS) this.move(root, START[root] - this.bids[root], DEEP);
  }

  /** Everyone finds somebody to trade with, at the prices that are. */
  async refill(): Promise<void> {
    this.#deepen();
    await this.settle();
  }

  #deepen(): void {
    this.isThin = false;
    for (const root of ROOTS) this.move(root, 0, DEEP);
  }

  /** What a market order on this side gets. */
  touch(root: Root, action: Action): number {
    return this.bids[root] + (action === "buy" ? 1 : 0);
  }

  async post(trader: Trader, path: string, body: object): Promise<Answer> {
    return await this.#answer(
      trader,
      await this.gateway.api.post(pathOf(trader.account, path), body),
    );
  }

  async patch(trader: Trader, path: string, body: object): Promise<Answer> {
    return await this.#answer(
      trader,
      await this.gateway.api.patch(pathOf(trader.account, path), body),
    );
  }

  async delete(trader: Trader, path: string): Promise<Answer> {
    return await this.#answer(trader, await this.gateway.api.delete(pathOf(trader.account, path)));
  }

  /** Every alert says something of its own, or it would be taken for the one before. */
  async alert(trader: Trader, body: object): Promise<Answer> {
    this.#alerts += 1;
    const url = `${this.gateway.url}${trader.webhook}`;
    return await this.#answer(
      trader,
      await postAlert(url, { ...body, comment: `alert ${this.#alerts}` }),
    );
  }

  /** A call that was answered before its end is followed to it. */
  async #answer(trader: Trader, { status, body, text }: Reply): Promise<Answer> {
    const error = body?.error;
    this.tally.add(`answer ${status}${error === undefined ? "" : ` ${error.code}`}`);
    if (status === 202 || status === 500 || status === 504) {
      const id = body?.intentId ?? error?.intentId;
      if (typeof id !== "string") throw new Error(`${status} names no intent: ${text}`);
      return await this.#followed(trader, id, status);
    }
    return {
      isDone: status === 200 || status === 201,
      status,
      code: error?.code,
      message: error?.message ?? "",
      body,
    };
  }

  async #followed(trader: Trader, intent: string, status: number): Promise<Answer> {
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const { body } = await this.gateway.api.get(pathOf(trader.account, `intents/${intent}`));
      if (!["prepared", "sending", "unknown"].includes(body.state)) {
        const { state, code, reason, result } = body;
        const isDone = state === "done";
        return { isDone, status, code: code ?? state, message: reason ?? "", body: result };
      }
      // What waits for somebody to trade with is to find one in the end.
      if (this.isThin && body.state === "unknown") this.#deepen();
      if (performance.now() > deadline) {
        throw new Error(`Intent ${intent} is still ${body.state}: ${JSON.stringify(body)}`);
      }
      await sleep(20);
    }
  }

  /** An account as it is now, whether or not it is quiet. */
  async lookAt(account: string): Promise<View> {
    return await readView(this.gateway.api, account);
  }

  /** Waits until every account stands still with all promises kept; throws what is not kept. */
  async settle(): Promise<void> {
    await Promise.all(this.traders.map((trader) => this.#settleOne(trader)));
  }

  async #settleOne(trader: Trader): Promise<void> {
    const from = performance.now();
    let last = NOTHING;
    for (let looks = 1; ; looks += 1) {
      const view = await this.lookAt(trader.account);
      const atBroker = (await this.gateway.broker.filled(trader.account)).qty;
      const isStill = isDeepStrictEqual(view, last) && atBroker === filledInAll(view);
      const broken = brokenPromises(trader.book, view, this.abilities.keepsLegs);
      if (isStill && broken.length === 0) {
        trader.book.keepCuts(view);
        trader.view = view;
        return;
      }
      const isKept = broken.length > 0 && broken.every(({ mayTakeTime }) => mayTakeTime);
      const patience = isKept ? KEPT : QUIET;
      if (performance.now() - from > patience.withinMs && looks > patience.looks) {
        throw new Error(this.#complain(trader, broken, atBroker, view));
      }
      last = view;
      await sleep(Math.min(5 * looks, LONGEST_PAUSE_MS));
    }
  }

  #complain(
    { account }: Trader,
    broken: ReturnType<typeof brokenPromises>,
    atBroker: number,
    view: View,
  ): string {
    const lines = broken.map(({ name, what }) => `  "${name}" is broken: ${what}`);
    if (atBroker !== filledInAll(view)) {
      lines.push(`  the broker filled ${atBroker}, the history has ${filledInAll(view)}`);
    }
    return [`${account} is not as it should be:`, ...lines, `  ${JSON.stringify(view)}`].join("\n");
  }

  async connected(): Promise<void> {
    await waitUntil("the broker is connected again", async () => {
      const { body } = await this.gateway.api.get("/v1/accounts");
      return body.accounts.every(
        ({ connectionStatus }: { connectionStatus: string }) => connectionStatus === "CONNECTED",
      );
    });
  }
}

/** An account of the gateway with nothing in its book. */
export async function openTrader(gateway: TestGateway, account: string): Promise<Trader> {
  const { url } = await gateway.createWebhook(account);
  return { account, webhook: new URL(url).pathname, book: new Book(), view: NOTHING };
}

/** A claim about one answer, in words that a failure shows. */
export function claim(isTrue: boolean, promise: string, facts: unknown): void {
  if (!isTrue) throw new Error(`${promise}; but ${JSON.stringify(facts)}`);
}

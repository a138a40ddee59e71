import fc from "fast-check";
import { type Reply, postAlert } from "../support/http-client.ts";
import type { TestGateway } from "../support/gateway.ts";
import { made, waitUntil } from "../support/wait.ts";
import { NOT_KEPT_YET } from "./known.ts";
import { heldOf, pathOf, readView, type View } from "./view.ts";
import { claim, symbolOf } from "./world.ts";

/** Webhooks of one account, by what sends to them. */
const HOOKS = {
  first: {},
  second: {},
  half: { multiplier: "0.5" },
  pickmytrade: { profile: "pickmytrade" },
  traderspost: { profile: "traderspost" },
} as const;
type HookName = keyof typeof HOOKS;

/** What senders say who want out, with the words that they send along whatever they ask for. */
const EXITS: Readonly<Record<HookName, readonly object[]>> = {
  first: [
    { action: "close" },
    { action: "exit", symbol: "ES1!" },
    { symbol: "ES1!", position: 0 },
    { symbol: "ES1!", action: "reduce", percent: 100 },
    { symbol: "ES1!", action: "reduce", percent: 100, stopLoss: { ticks: 8 } },
    { action: "close", takeProfit: { ticks: 8 } },
  ],
  second: [{ action: "flatten" }, { symbol: "ES1!", position: 0, stopLoss: { ticks: 8 } }],
  half: [
    { action: "close" },
    { symbol: "ES1!", position: 1 },
    { symbol: "ES1!", action: "reduce", percent: 100 },
  ],
  pickmytrade: [
    { symbol: "ES1!", data: "close", quantity: 1 },
    { symbol: "ES1!", data: "close", quantity: 1, tp: 9_000, sl: 100 },
    { symbol: "ES1!", data: "close", quantity: 0 },
  ],
  traderspost: [
    { ticker: "ES1!", action: "exit" },
    { ticker: "ES1!", action: "exit", quantity: 0 },
    { ticker: "ES1!", action: "exit", quantity: 0.5 },
  ],
};

export type AlertStep =
  | {
      readonly do: "enter";
      readonly by: "api" | "first" | "second";
      readonly action: "buy" | "sell";
      readonly qty: number;
    }
  | { readonly do: "exit"; readonly by: HookName; readonly nth: number };

const PROMISES = {
  isNotRefused: "an exit by alert is not refused for what concerns entries",
  leavesNothing: "an exit by alert that is done leaves nothing, however often it came",
} as const;

export type AlertPromise = (typeof PROMISES)[keyof typeof PROMISES];

/** By hand: MODEL_HOOKS=half,first keeps to these webhooks, MODEL_ONLY to one promise. */
const WANTED = process.env["MODEL_HOOKS"]?.split(",");
const NAMES = (Object.keys(HOOKS) as HookName[]).filter((name) => WANTED?.includes(name) ?? true);
const ONLY = process.env["MODEL_ONLY"];

export const alertSteps: fc.Arbitrary<readonly AlertStep[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("enter" as const),
      by: fc.constantFrom("api" as const, "first" as const, "second" as const),
      action: fc.constantFrom("buy" as const, "sell" as const),
      qty: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({
      do: fc.constant("exit" as const),
      by: fc.constantFrom(...NAMES),
      nth: fc.nat(5),
    }),
  ),
  { minLength: 2, maxLength: 6, size: "max" },
);

/** One account that several senders trade, each by a webhook of its own. */
export class SharedAccount {
  readonly #gateway: TestGateway;
  readonly #account: string;
  readonly #urls: Readonly<Record<string, string>>;
  #entries = 0;

  static async open(gateway: TestGateway, account: string): Promise<SharedAccount> {
    const urls: Record<string, string> = {};
    for (const [name, options] of Object.entries(HOOKS)) {
      const body = { accountId: account, name, ...options };
      const { url } = await made(() => gateway.api.post("/v1/webhooks", body));
      urls[name] = new URL(url as string).pathname;
    }
    return new SharedAccount(gateway, account, urls);
  }

  private constructor(gateway: TestGateway, account: string, urls: Record<string, string>) {
    this.#gateway = gateway;
    this.#account = account;
    this.#urls = urls;
  }

  async take(step: AlertStep): Promise<void> {
    if (step.do === "enter") await this.#enter(step);
    else await this.#exit(step);
  }

  async #enter({ by, action, qty }: Extract<AlertStep, { do: "enter" }>): Promise<void> {
    this.#entries += 1;
    const order = { symbol: "ES1!", action, qty };
    const { api } = this.#gateway;
    const reply =
      by === "api"
        ? await api.post(pathOf(this.#account, "orders"), order)
        : await this.#alert(by, { ...order, alertId: `entry ${this.#entries}` });
    claim(reply.status < 300, "an entry is carried out", reply.body);
    await this.#settled();
  }

  /** The same words again are the same wish again: whoever holds something then wants out of it. */
  async #exit({ by, nth }: Extract<AlertStep, { do: "exit" }>): Promise<void> {
    const bodies = EXITS[by];
    const body = bodies[nth % bodies.length] ?? {};
    const held = heldOf(await this.#settled(), symbolOf("ES"));
    const { status, body: answer } = await this.#alert(by, body);
    const facts = { by, body, held, status, answer };
    const isRefused = status >= 300 && held !== 0;
    // Of a short position nothing leads to more of it: a target on the other side turns it round.
    const isOtherSide = "position" in body && body.position === 1 && held < 0;
    keep(PROMISES.isNotRefused, !isRefused, facts);
    // A quantity beside an exit is a part of it, and a part of a contract a whole one.
    const part = "quantity" in body && by === "traderspost" ? Math.ceil(Number(body.quantity)) : 0;
    const isPart = part > 0 && part < Math.abs(held);
    if (status >= 300 || isOtherSide || isPart) return;
    const left = heldOf(await this.#settled(), symbolOf("ES"));
    keep(PROMISES.leavesNothing, left === 0, { ...facts, left });
  }

  async #alert(by: HookName, body: object): Promise<Reply> {
    return await postAlert(`${this.#gateway.url}${this.#urls[by]}`, body);
  }

  async #settled(): Promise<View> {
    const read = async () => await readView(this.#gateway.api, this.#account);
    await waitUntil("nothing is unsettled", async () => (await read()).unsettled === 0);
    return await read();
  }

  async leave(): Promise<void> {
    await this.#gateway.api.delete(pathOf(this.#account, "positions"));
  }
}

function keep(promise: AlertPromise, isKept: boolean, facts: unknown): void {
  const isLeftOut = ONLY === undefined ? promise in NOT_KEPT_YET : !promise.includes(ONLY);
  claim(isKept || isLeftOut, promise, facts);
}

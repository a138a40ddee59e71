import { seededRandom } from "../faults/seeded-random.ts";
import { below, between, pick, type Shape } from "./schedule.ts";

/** What one call wants. Prices are ticks away from the market, far enough to rest for ever. */
export type Wish =
  | {
      readonly kind: "order";
      readonly action: "buy" | "sell";
      readonly qty: number;
      readonly type: "market" | "limit";
      readonly hasBracket: boolean;
    }
  /** Of an order that rests on the account, if there is one. */
  | { readonly kind: "cancel" }
  | { readonly kind: "flatten" };

export interface PlannedCall {
  readonly number: number;
  /** Since the load began. */
  readonly atMs: number;
  /** Counts over all accounts, from 0. */
  readonly account: number;
  readonly via: "api" | "webhook";
  /** Which ingress is asked first. */
  readonly ingress: number;
  /** How often it is sent with the same Idempotency-Key; 1 is without a key. */
  readonly copies: number;
  readonly wish: Wish;
}

/** Of so many accounts one is flattened now and then. */
const FLATTENED_EVERY = 8;
const LARGEST_POSITION = 4;

type Random = () => number;

/** The calls of a run, one after another: the same for the same seed and shape. */
export function* planCalls(seed: number, shape: Shape): Generator<PlannedCall> {
  // Another sequence than the faults'.
  const random = seededRandom(seed ^ 0x5eed);
  const accounts = shape.connections * shape.accountsPerConnection;
  const held = Array.from({ length: accounts }, () => 0);
  const gapMs = 1_000 / shape.intentsPerSecond;
  let atMs = 0;
  for (let number = 1; atMs < shape.loadMs; number += 1) {
    const account = below(random, accounts);
    const wish = drawWish(random, account % FLATTENED_EVERY === 0, held[account] ?? 0);
    if (wish.kind === "flatten") held[account] = 0;
    if (wish.kind === "order" && wish.type === "market") {
      held[account] = (held[account] ?? 0) + (wish.action === "buy" ? wish.qty : -wish.qty);
    }
    const via = wish.kind !== "cancel" && random() < 0.6 ? "webhook" : "api";
    const isRepeated = via === "api" && wish.kind === "order" && random() < 0.3;
    const copies = isRepeated ? between(random, 2, 3) : 1;
    yield { number, atMs: Math.round(atMs), account, via, ingress: below(random, 2), copies, wish };
    // Now and then several at once, often for the same account.
    atMs += gapMs * 2 * random();
  }
}

/** What is meant to be held never grows beyond a few contracts. */
function drawWish(random: Random, isFlattened: boolean, held: number): Wish {
  const chance = random();
  if (isFlattened && chance < 0.08) return { kind: "flatten" };
  if (chance < 0.14) return { kind: "cancel" };
  const isFull = Math.abs(held) >= LARGEST_POSITION;
  const action = isFull ? (held > 0 ? "sell" : "buy") : pick(random, ["buy", "sell"] as const);
  const qty = between(random, 1, 3);
  if (chance < 0.24) return { kind: "order", action, qty, type: "limit", hasBracket: false };
  const hasBracket = isFlattened && random() < 0.15;
  return { kind: "order", action, qty, type: "market", hasBracket };
}

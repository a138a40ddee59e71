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
  | { readonly kind: "flatten" }
  /** Where the position is to stand, through flat where it stands on the other side. */
  | { readonly kind: "target"; readonly netQty: number }
  | { readonly kind: "reverse" }
  | { readonly kind: "reduce"; readonly qty: number };

export interface PlannedCall {
  readonly number: number;
  /** Since the load began. */
  readonly atMs: number;
  /** Counts over all accounts, from 0. */
  readonly account: number;
  readonly via: "api" | "webhook";
  /** Which ingress is asked first. */
  readonly ingress: number;
  /** Whether it is the account's owner that is asked first, where that takes calls in. */
  readonly isForOwner: boolean;
  /** How often it is sent: by `/v1` with the same Idempotency-Key, as an alert with the same body. */
  readonly copies: number;
  /** From one copy to the next; 0 is all at once. */
  readonly gapMs: number;
  /** An alert with an `alertId`; one without is known by its body, until another one comes. */
  readonly isNamed: boolean;
  readonly wish: Wish;
}

/** Of so many accounts one is flattened now and then. */
const FLATTENED_EVERY = 8;
const LARGEST_POSITION = 4;
/** How far apart the copies of one call come; the last is for what is known by then. */
const GAPS_MS = [0, 60, 1_500] as const;

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
    held[account] = heldAfter(wish, held[account] ?? 0);
    const via = drawDoor(random, wish);
    // What `/v1` does twice without a key is done twice, as it says.
    const mayRepeat = via === "webhook" || wish.kind === "order";
    const copies = mayRepeat && random() < 0.3 ? between(random, 2, 3) : 1;
    yield {
      number,
      atMs: Math.round(atMs),
      account,
      via,
      ingress: below(random, 2),
      copies,
      gapMs: pick(random, GAPS_MS),
      isNamed: random() < 0.7,
      isForOwner: random() < 0.8,
      wish,
    };
    // Now and then several at once, often for the same account.
    atMs += gapMs * 2 * random();
  }
}

/** Flat a little more often: then what comes after it opens anew. */
const TARGETS = [-3, -2, -1, 0, 0, 1, 2, 3] as const;

/** What is meant to be held once the wish is carried out. */
export function heldAfter(wish: Wish, held: number): number {
  switch (wish.kind) {
    case "order": {
      if (wish.type === "limit") return held;
      return held + (wish.action === "buy" ? wish.qty : -wish.qty);
    }
    case "cancel":
      return held;
    case "flatten":
      return 0;
    case "target":
      return wish.netQty;
    case "reverse":
      return -held;
    case "reduce":
      return Math.sign(held) * Math.max(0, Math.abs(held) - wish.qty);
  }
}

/** Only alerts can say where a position is to stand, and only `/v1` names an order. */
function drawDoor(random: Random, { kind }: Wish): PlannedCall["via"] {
  if (kind === "target" || kind === "reverse" || kind === "reduce") return "webhook";
  return kind !== "cancel" && random() < 0.6 ? "webhook" : "api";
}

/** What is meant to be held never grows beyond a few contracts. */
function drawWish(random: Random, isFlattened: boolean, held: number): Wish {
  const chance = random();
  if (isFlattened && chance < 0.08) return { kind: "flatten" };
  if (chance < 0.14) return { kind: "cancel" };
  if (chance > 0.9) return { kind: "target", netQty: pick(random, TARGETS) };
  if (chance > 0.86) return { kind: "reverse" };
  if (chance > 0.8) return { kind: "reduce", qty: between(random, 1, 2) };
  const isFull = Math.abs(held) >= LARGEST_POSITION;
  const action = isFull ? (held > 0 ? "sell" : "buy") : pick(random, ["buy", "sell"] as const);
  const qty = between(random, 1, 3);
  if (chance < 0.24) return { kind: "order", action, qty, type: "limit", hasBracket: false };
  const hasBracket = isFlattened && random() < 0.15;
  return { kind: "order", action, qty, type: "market", hasBracket };
}

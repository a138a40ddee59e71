import fc from "fast-check";
import { cancel, candidates, type CancelWish } from "./cancel.ts";
import { flatten, type FlattenWish } from "./flatten.ts";
import { modify, type ModifyWish } from "./modify.ts";
import { exit, type LegWish, place, type PlaceWish } from "./place.ts";
import { protect, type ProtectWish } from "./protect.ts";
import { DEEP, type Abilities, ROOTS, symbolOf, type Trader, type World } from "./world.ts";

export type Command = fc.AsyncCommand<World, World>;

/** How a kind of command is carried out, and when it makes sense at all. */
interface Kind<Wish> {
  readonly name: string;
  readonly isPossible?: (trader: Trader, wish: Wish) => boolean;
  readonly run: (world: World, trader: Trader, wish: Wish) => Promise<void>;
}

class WishCommand<Wish> implements fc.AsyncCommand<World, World> {
  readonly #kind: Kind<Wish>;
  readonly #who: number;
  readonly #wish: Wish;

  constructor(kind: Kind<Wish>, who: number, wish: Wish) {
    this.#kind = kind;
    this.#who = who;
    this.#wish = wish;
  }

  check(world: Readonly<World>): boolean {
    return this.#kind.isPossible?.(world.trader(this.#who), this.#wish) ?? true;
  }

  async run(world: World): Promise<void> {
    world.tally.add(this.#kind.name);
    await this.#kind.run(world, world.trader(this.#who), this.#wish);
  }

  toString(): string {
    return `\n  ${this.#kind.name} of trader ${this.#who}: ${JSON.stringify(this.#wish)}`;
  }
}

const who = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constant(1));
const root = fc.oneof(
  { weight: 3, arbitrary: fc.constant("ES" as const) },
  fc.constantFrom(...ROOTS),
);
const via = fc.oneof(
  { weight: 3, arbitrary: fc.constant("api" as const) },
  fc.constant("webhook" as const),
);
const maybe = <Wish>(wish: fc.Arbitrary<Wish>) => fc.option(wish, { nil: undefined });
const seldom = fc.constantFrom(true, ...Array<boolean>(9).fill(false));
const distance = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 12 }) },
  fc.constantFrom(1, 40),
);
const leg: fc.Arbitrary<LegWish> = fc.record({
  by: fc.constantFrom("price", "ticks", "offset"),
  distance,
});
/** Now and then beyond the market. */
const newLevel: fc.Arbitrary<LegWish> = fc.oneof(
  { weight: 5, arbitrary: leg },
  fc.record({ by: fc.constant("price" as const), distance: fc.integer({ min: -3, max: 1 }) }),
);

function wishes<Wish>(kind: Kind<Wish>, wish: fc.Arbitrary<Wish>): fc.Arbitrary<Command> {
  return fc.tuple(who, wish).map(([one, its]) => new WishCommand(kind, one, its));
}

const placing = wishes<PlaceWish>(
  { name: "place", run: place },
  fc.record({
    root,
    action: fc.constantFrom("buy", "sell"),
    qty: fc.integer({ min: 1, max: 5 }),
    type: fc.constantFrom(
      "market",
      "market",
      "limit",
      "limit",
      "stop",
      "stopLimit",
      "trailingStop",
    ),
    timeInForce: fc.oneof(
      { weight: 5, arbitrary: fc.constant("gtc" as const) },
      fc.constantFrom("ioc" as const, "fok" as const),
    ),
    away: fc.integer({ min: -8, max: 8 }),
    trail: fc.integer({ min: 1, max: 10 }),
    takeProfit: maybe(leg),
    stopLoss: maybe(leg),
    via,
  }),
);

const exiting = wishes(
  {
    name: "exit",
    isPossible: ({ view }, wish) => view.positions[symbolOf(wish.root)] !== undefined,
    run: exit,
  },
  fc.record({ root, more: fc.constantFrom(0, 0, 0, -1, -2, 1, 3), via }),
);

const canceling = wishes<CancelWish>(
  {
    name: "cancel",
    isPossible: ({ view }, { of }) =>
      of === "ended" || of === "unknown" || candidates(view, of).length > 0,
    run: cancel,
  },
  fc.record({
    of: fc.oneof(
      { weight: 5, arbitrary: fc.constant("entry" as const) },
      { weight: 10, arbitrary: fc.constant("leg" as const) },
      fc.constantFrom("ended" as const, "unknown" as const),
    ),
    nth: fc.nat(20),
  }),
);

const protecting = wishes<ProtectWish>(
  {
    name: "protect",
    isPossible: ({ view }, { anyway }) => anyway || Object.keys(view.positions).length > 0,
    run: protect,
  },
  fc
    .record({
      root: maybe(root),
      takeProfit: maybe(newLevel),
      stopLoss: maybe(newLevel),
      anyway: seldom,
    })
    .filter(({ takeProfit, stopLoss }) => takeProfit !== undefined || stopLoss !== undefined),
);

const flattening = wishes<FlattenWish>(
  { name: "flatten", run: flatten },
  fc.record({
    via: fc.constantFrom("api", "webhook"),
    root: maybe(root),
    isThin: seldom,
  }),
);

const modifying = wishes<ModifyWish>(
  {
    name: "modify",
    isPossible: ({ view }, { anyway }) => anyway || view.working.length > 0,
    run: modify,
  },
  fc.record({
    anyway: seldom,
    nth: fc.nat(20),
    field: fc.nat(20),
    by: fc.integer({ min: -6, max: 6 }),
  }),
);

const move = fc.record({
  root,
  ticks: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
    { weight: 3, arbitrary: fc.integer({ min: -12, max: 12 }) },
    fc.constantFrom(-60, 60),
  ),
  size: fc.oneof(
    { weight: 2, arbitrary: fc.constant(DEEP) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }) },
  ),
});
type Move = typeof move extends fc.Arbitrary<infer Wish> ? Wish : never;

const moving = wishes<Move>(
  {
    name: "market",
    run: async (world, _, wish) => {
      world.move(wish.root, wish.ticks, wish.size);
      await world.settle();
    },
  },
  move,
);

const reconnecting = wishes<Move>(
  {
    name: "reconnect",
    run: async (world, _, wish) => {
      world.gateway.paper.breakSession(new Error("The link is lost"));
      world.move(wish.root, wish.ticks, wish.size);
      await world.connected();
      await world.settle();
    },
  },
  move,
);

const restarting = wishes<Move>(
  {
    name: "restart",
    run: async (world, _, wish) => {
      await world.gateway.halt();
      world.move(wish.root, wish.ticks, wish.size);
      await world.gateway.restart();
      await world.connected();
      await world.settle();
    },
  },
  move,
);

/** Any command; restarts are rare, because they are slow. */
export function anyCommand({ modifies }: Abilities): fc.Arbitrary<Command> {
  return fc.oneof(
    { weight: 70, arbitrary: placing },
    { weight: 25, arbitrary: exiting },
    { weight: 70, arbitrary: moving },
    { weight: 40, arbitrary: canceling },
    { weight: 35, arbitrary: protecting },
    { weight: 20, arbitrary: flattening },
    { weight: modifies ? 35 : 0, arbitrary: modifying },
    { weight: 5, arbitrary: reconnecting },
    { weight: 1, arbitrary: restarting },
  );
}

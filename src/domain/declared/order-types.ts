/** A price that an order of some type has, beside those of its legs. */
interface DeclaredPrice {
  /** The API's name of it. */
  readonly word: string;
  /** What it counts: ticks from zero, or ticks away from something. */
  readonly counts: "price" | "distance";
  /** The order waits until the market reaches it. */
  readonly isTrigger?: true;
  /** How it is said of an order: `{}` stands for the number. */
  readonly asked: string;
  readonly resting: string;
  /** What is changed when it changes. */
  readonly called: string;
}

/** In the order in which the API shows them. */
export const DECLARED_PRICES = {
  price: {
    word: "limitPrice",
    counts: "price",
    asked: "at {}",
    resting: "limit {}",
    called: "limit",
  },
  stopPx: {
    word: "stopPrice",
    counts: "price",
    isTrigger: true,
    asked: "from {}",
    resting: "stop {}",
    called: "stop",
  },
  trailOffset: {
    word: "trailOffset",
    counts: "distance",
    asked: "{} behind",
    resting: "{} behind",
    called: "trail",
  },
} as const satisfies Readonly<Record<string, DeclaredPrice>>;

/** FIX's name of an order's own price, or ours where FIX has none. */
export type OrderPrice = keyof typeof DECLARED_PRICES;
/** The API's name of it. */
export type PriceWord = (typeof DECLARED_PRICES)[OrderPrice]["word"];

interface DeclaredType {
  /** The API's name of it. */
  readonly word: string;
  /** What a person reads. */
  readonly said: string;
  /** The prices that an order of it needs, and those that it may have besides. */
  readonly needs: readonly OrderPrice[];
  readonly mayHave?: readonly OrderPrice[];
  /** Which exit it is where it closes what is held; undefined where it does not rest. Never left out. */
  readonly exit: "TAKE_PROFIT" | "STOP_LOSS" | undefined;
}

/**
 * The types of order, each said once. What the API takes and shows, how tickets are read and orders
 * presented, and the words of the console follow from it. What each broker calls them, and does with
 * them, is a closed table of its own.
 */
export const DECLARED_TYPES = {
  MARKET: { word: "market", said: "market", needs: [], exit: undefined },
  LIMIT: { word: "limit", said: "limit", needs: ["price"], exit: "TAKE_PROFIT" },
  STOP: { word: "stop", said: "stop", needs: ["stopPx"], exit: "STOP_LOSS" },
  STOP_LIMIT: {
    word: "stopLimit",
    said: "stop-limit",
    needs: ["price", "stopPx"],
    exit: "STOP_LOSS",
  },
  // Where it starts, if not at the market.
  TRAILING_STOP: {
    word: "trailingStop",
    said: "trailing stop",
    needs: ["trailOffset"],
    mayHave: ["stopPx"],
    exit: "STOP_LOSS",
  },
} as const satisfies Readonly<Record<string, DeclaredType>>;

/** FIX OrdType. */
export type OrdType = keyof typeof DECLARED_TYPES;
/** The API's name of it. */
export type OrderType = (typeof DECLARED_TYPES)[OrdType]["word"];

export const ORD_TYPES = Object.keys(DECLARED_TYPES) as readonly OrdType[];
export const ORDER_PRICES = Object.keys(DECLARED_PRICES) as readonly OrderPrice[];

export const declaredType = (ordType: OrdType): DeclaredType => DECLARED_TYPES[ordType];
export const declaredPrice = (name: OrderPrice): DeclaredPrice => DECLARED_PRICES[name];

/** Whether an order of that type is none without the price. */
export const needs = (ordType: OrdType, name: OrderPrice): boolean =>
  declaredType(ordType).needs.includes(name);

export const mayHave = (ordType: OrdType, name: OrderPrice): boolean =>
  needs(ordType, name) || declaredType(ordType).mayHave?.includes(name) === true;

const isTrigger = (name: OrderPrice): boolean => declaredPrice(name).isTrigger === true;

const TRIGGERED: ReadonlySet<OrdType> = new Set(
  ORD_TYPES.filter((ordType) =>
    ORDER_PRICES.some((name) => isTrigger(name) && mayHave(ordType, name)),
  ),
);

/** Whether the order waits for the market to reach a price before it can fill. */
export const waitsForTrigger = (ordType: OrdType): boolean => TRIGGERED.has(ordType);

/** As an order meets them: first what it waits for. */
export const PRICES_AS_MET: readonly OrderPrice[] = ORDER_PRICES.toSorted(
  (one, other) => Number(isTrigger(other)) - Number(isTrigger(one)),
);

/** The API's prices of an order in words, first what it waits for. */
export function pricesInWords(
  prices: Readonly<Partial<Record<PriceWord, number | string | null>>>,
  as: "asked" | "resting",
  names: readonly OrderPrice[] = PRICES_AS_MET,
): readonly string[] {
  return names.flatMap((name) => {
    const { word, [as]: words } = DECLARED_PRICES[name];
    const value = prices[word];
    return value === undefined || value === null ? [] : [words.replace("{}", String(value))];
  });
}

const SAID = new Map<OrderType, string>(
  ORD_TYPES.map((ordType) => [DECLARED_TYPES[ordType].word, DECLARED_TYPES[ordType].said]),
);

/** The API's name of a type, as a person reads it. */
export const typeInWords = (type: OrderType): string => SAID.get(type) ?? type;

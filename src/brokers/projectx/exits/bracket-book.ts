import { type ClOrdId, clOrdId } from "../../../domain/ids.ts";
import type { Side } from "../../../domain/order.ts";
import { ticks, type Ticks } from "../../../domain/contracts/price.ts";
import type { LegRole } from "../leg-tags.ts";
import type { Former, MemoryParts } from "../memory-parts.ts";
import { isRecord } from "../parse.ts";

/** One exit that an entry is to have. */
export interface WantedLeg {
  /** Where it is to be; undefined until the entry's first fill says from where to count. */
  level: Ticks | undefined;
  /** How far from the first fill; absent where a level was asked for. */
  readonly distance: Ticks | undefined;
  /** The size at which the broker's own was where it is to be: whoever moves it then wants it so. */
  placedSize: number;
  /** A command of ours has ended it: it does not come back. */
  isEnded: boolean;
  /** For so much of what the entry has filled, commands of ours have taken it away. */
  waivedQty: number;
  /** The broker's own leg, once it has named it. */
  orderId: string | undefined;
  /** What we have placed in its stead. */
  readonly againIds: string[];
  /** The last number of a tag of it that is used up: 1 is the broker's own leg. */
  attempt: number;
}

/** An entry, and the exits that it was placed with. */
export interface WantedEntry {
  readonly account: string;
  readonly tag: ClOrdId;
  readonly contractId: string;
  readonly side: Side;
  readonly size: number;
  /** Unix ms. */
  readonly wantedAt: number;
  /** Undefined until the broker has named it. */
  orderId: string | undefined;
  readonly legs: ReadonlyMap<LegRole, WantedLeg>;
}

/** More than a gateway has open at one time. */
const MOST = 500;
const PART = "brackets";
const ROLES = ["STOP_LOSS", "TAKE_PROFIT"] as const satisfies readonly LegRole[];

type Memory = Pick<MemoryParts, "load" | "former" | "save" | "close">;

/**
 * Which exits entries were placed with. No list of the broker shows legs that wait for their entry, and
 * none that it has ended says where it was, so this is kept over restarts.
 */
export class BracketBook {
  readonly #memory: Memory;
  readonly #entries = new Map<string, WantedEntry>();
  #loaded: Former | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /**
   * Takes over what a former owner has kept; what is known here already counts more. Answers what there
   * was of it, and after that nothing, since it is taken over once.
   */
  async load(): Promise<Former | undefined> {
    if (this.#loaded === "kept" || this.#loaded === "none") return undefined;
    const before = this.#loaded;
    const text = await this.#memory.load(PART);
    const former = await this.#memory.former();
    const entries = text === undefined ? [] : parseEntries(text);
    this.#loaded = entries === undefined ? "unreadable" : former;
    for (const entry of entries ?? []) {
      const key = keyOf(entry);
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    }
    return this.#loaded === before ? undefined : this.#loaded;
  }

  /** Those that were placed first come first. */
  all(): readonly WantedEntry[] {
    return [...this.#entries.values()];
  }

  of(account: string, tag: string): WantedEntry | undefined {
    return this.#entries.get(`${account} ${tag}`);
  }

  /** Answers the oldest one where it had to be let go: there are more than can be kept. */
  add(entry: WantedEntry): WantedEntry | undefined {
    this.#entries.set(keyOf(entry), entry);
    const [oldest] = this.#entries.values();
    const isTooMany = this.#entries.size > MOST && oldest !== undefined;
    if (isTooMany) this.#entries.delete(keyOf(oldest));
    this.save();
    return isTooMany ? oldest : undefined;
  }

  remove(entry: WantedEntry): void {
    if (this.#entries.delete(keyOf(entry))) this.save();
  }

  /** Something of an entry has changed. */
  save(): void {
    this.#memory.save(PART, JSON.stringify(this.all().map(toRecord)));
  }

  /** Resolves when everything is kept. */
  async kept(): Promise<void> {
    await this.#memory.close();
  }
}

const keyOf = ({ account, tag }: WantedEntry): string => `${account} ${tag}`;

const toRecord = ({ legs, ...entry }: WantedEntry): object => ({
  ...entry,
  legs: Object.fromEntries(legs),
});

/** Undefined where it cannot be read; of what can be, the entries that make no sense are passed over. */
function parseEntries(text: string): readonly WantedEntry[] | undefined {
  const told = parseJson(text);
  return Array.isArray(told) ? told.flatMap((one) => parseEntry(one) ?? []) : undefined;
}

function parseEntry(value: unknown): WantedEntry | undefined {
  if (!isRecord(value) || !isRecord(value["legs"])) return undefined;
  const { account, tag, contractId, side, size, wantedAt, orderId, legs } = value;
  if (typeof account !== "string" || typeof tag !== "string") return undefined;
  if (typeof contractId !== "string" || typeof size !== "number") return undefined;
  if (side !== "BUY" && side !== "SELL") return undefined;
  const own = legs as Readonly<Record<string, unknown>>;
  return {
    account,
    tag: clOrdId(tag),
    contractId,
    side,
    size,
    wantedAt: typeof wantedAt === "number" ? wantedAt : 0,
    orderId: typeof orderId === "string" ? orderId : undefined,
    legs: new Map(
      ROLES.flatMap((role) => {
        const leg = parseLeg(own[role]);
        return leg === undefined ? [] : [[role, leg] as const];
      }),
    ),
  };
}

function parseLeg(value: unknown): WantedLeg | undefined {
  if (!isRecord(value)) return undefined;
  const { level, distance, placedSize, isEnded, waivedQty, orderId, againIds, attempt } = value;
  const again: readonly unknown[] = Array.isArray(againIds) ? againIds : [];
  return {
    level: typeof level === "number" ? ticks(level) : undefined,
    distance: typeof distance === "number" ? ticks(distance) : undefined,
    placedSize: typeof placedSize === "number" ? placedSize : 0,
    isEnded: isEnded === true,
    waivedQty: typeof waivedQty === "number" ? waivedQty : 0,
    orderId: typeof orderId === "string" ? orderId : undefined,
    againIds: again.filter((id) => typeof id === "string"),
    attempt: typeof attempt === "number" ? attempt : 1,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { type ClOrdId, clOrdId } from "../../domain/ids.ts";
import type { Side } from "../../domain/order.ts";
import { ticks, type Ticks } from "../../domain/contracts/price.ts";
import type { LegRole } from "./leg-tags.ts";
import type { MemoryParts } from "./memory-parts.ts";
import { isRecord } from "./parse.ts";

/** One exit that an entry is to have. */
export interface WantedLeg {
  /** Where it is to be; undefined until the entry's first fill says from where to count. */
  level: Ticks | undefined;
  /** How far from the first fill; absent where a level was asked for. */
  readonly distance: Ticks | undefined;
  /** What a command of ours has done to it: what is ended is not placed again. */
  byHand: "no" | "smaller" | "ended";
  /** The broker's own leg, once it has named it. */
  orderId: string | undefined;
  /** The last number that a tag of it was made with: 1 is the broker's own leg. */
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

/**
 * Which exits entries were placed with. No list of the broker shows legs that wait for their entry, and
 * none that it has ended says where it was, so this is kept over restarts.
 */
export class BracketBook {
  readonly #memory: Pick<MemoryParts, "load" | "save" | "close">;
  readonly #entries = new Map<string, WantedEntry>();

  constructor(memory: Pick<MemoryParts, "load" | "save" | "close">) {
    this.#memory = memory;
  }

  /** Takes over what a former owner has kept; what is known here already counts more. */
  async load(): Promise<void> {
    for (const entry of parseEntries(await this.#memory.load(PART))) {
      const key = keyOf(entry);
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    }
  }

  all(): readonly WantedEntry[] {
    return [...this.#entries.values()];
  }

  of(account: string, tag: string): WantedEntry | undefined {
    return this.#entries.get(`${account} ${tag}`);
  }

  add(entry: WantedEntry): void {
    this.#entries.set(keyOf(entry), entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST && oldest !== undefined) this.#entries.delete(oldest);
    this.save();
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

/** What an earlier version kept otherwise is passed over. */
function parseEntries(text: string | undefined): readonly WantedEntry[] {
  const told = text === undefined ? [] : parseJson(text);
  return Array.isArray(told) ? told.flatMap((one) => parseEntry(one) ?? []) : [];
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
  const { level, distance, byHand, orderId, attempt } = value;
  return {
    level: typeof level === "number" ? ticks(level) : undefined,
    distance: typeof distance === "number" ? ticks(distance) : undefined,
    byHand: byHand === "smaller" || byHand === "ended" ? byHand : "no",
    orderId: typeof orderId === "string" ? orderId : undefined,
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

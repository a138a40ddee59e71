import type { AdapterMemory } from "../broker-kind.ts";
import { isRecord } from "./parse.ts";

export interface MemoryPartsDeps {
  /** Without it everything ends with this owner. */
  readonly memory: AdapterMemory | undefined;
  /** What a former owner knows is older than what the present one has kept. */
  readonly mayWrite: () => boolean;
  /** Hears that something was not kept, or not found. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * What a former owner has left: `none` where there is no word of one, and `unreadable` where there is one
 * that nobody understands. Whoever is given no memory has lost none.
 */
export type Former = "kept" | "none" | "unreadable";

type Parts = ReadonlyMap<string, string>;

const NOTHING = "{}";

/** One text that several have a part in: each loads and saves its own. */
export class MemoryParts {
  readonly #deps: MemoryPartsDeps;
  /** What this owner has saved. */
  readonly #own = new Map<string, string>();
  /** What a former one has kept; undefined while that could not be read. */
  #former: Parts | undefined;
  #found: Former = "unreadable";
  #reading: Promise<Parts | undefined> | undefined;
  #kept: Promise<void> = Promise.resolve();
  #written: string | undefined;

  constructor(deps: MemoryPartsDeps) {
    this.#deps = deps;
  }

  /** Undefined where nothing was saved, or nothing can be found any more. */
  async load(name: string): Promise<string | undefined> {
    return this.#own.get(name) ?? (await this.#readFormer())?.get(name);
  }

  /** What there was to load from. */
  async former(): Promise<Former> {
    await this.#readFormer();
    return this.#found;
  }

  /** Returns before it is kept; what is saved last counts. */
  save(name: string, text: string): void {
    this.#own.set(name, text);
    this.#kept = this.#kept.then(async () => await this.#write().catch(this.#deps.onTrouble));
  }

  /** Resolves when everything is kept. */
  async close(): Promise<void> {
    await this.#kept;
  }

  async #write(): Promise<void> {
    const { memory, mayWrite } = this.#deps;
    const former = await this.#readFormer();
    // What could not be read is not written over: the next save tries both again.
    if (former === undefined || memory === undefined || !mayWrite()) return;
    const text = JSON.stringify(Object.fromEntries([...former, ...this.#own]));
    if (text === this.#written) return;
    await memory.save(text);
    this.#written = text;
  }

  /** One reading serves all who ask meanwhile. */
  async #readFormer(): Promise<Parts | undefined> {
    if (this.#former !== undefined) return this.#former;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return await this.#reading;
  }

  async #read(): Promise<Parts | undefined> {
    const { memory, onTrouble } = this.#deps;
    try {
      const text = memory === undefined ? NOTHING : await memory.load();
      const parts = text === undefined ? undefined : parseParts(text);
      const isThere = text !== undefined;
      this.#found = parts === undefined ? (isThere ? "unreadable" : "none") : "kept";
      this.#former = parts ?? new Map();
    } catch (error) {
      onTrouble(error);
    }
    return this.#former;
  }
}

function parseParts(text: string): Parts | undefined {
  try {
    const told: unknown = JSON.parse(text);
    if (!isRecord(told)) return undefined;
    const entries = Object.entries(told);
    return new Map(entries.filter((one): one is [string, string] => typeof one[1] === "string"));
  } catch {
    return undefined;
  }
}

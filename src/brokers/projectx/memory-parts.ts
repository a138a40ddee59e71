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

/** One text that several have a part in: each loads and saves its own. */
export class MemoryParts {
  readonly #deps: MemoryPartsDeps;
  #parts: Promise<Map<string, string>> | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(deps: MemoryPartsDeps) {
    this.#deps = deps;
  }

  /** Undefined where nothing was saved, or nothing can be found any more. */
  async load(name: string): Promise<string | undefined> {
    return (await this.#all()).get(name);
  }

  /** Returns before it is kept; what is saved last counts. */
  save(name: string, text: string): void {
    this.#kept = this.#kept.then(async () => {
      const { memory, mayWrite, onTrouble } = this.#deps;
      const parts = await this.#all();
      if (parts.get(name) === text) return;
      parts.set(name, text);
      if (memory === undefined || !mayWrite()) return;
      await memory.save(JSON.stringify(Object.fromEntries(parts))).catch(onTrouble);
    });
  }

  /** Resolves when everything is kept. */
  async close(): Promise<void> {
    await this.#kept;
  }

  #all(): Promise<Map<string, string>> {
    return (this.#parts ??= this.#read());
  }

  async #read(): Promise<Map<string, string>> {
    try {
      const text = await this.#deps.memory?.load();
      const told = text === undefined ? undefined : (JSON.parse(text) as unknown);
      const entries = isRecord(told) ? Object.entries(told) : [];
      return new Map(entries.filter((one): one is [string, string] => typeof one[1] === "string"));
    } catch (error) {
      this.#deps.onTrouble(error);
      return new Map();
    }
  }
}

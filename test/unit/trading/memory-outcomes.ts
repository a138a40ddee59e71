import type { AccountId, IntentId } from "../../../src/domain/ids.ts";
import { type IntentRecord, isUnsettled } from "../../../src/domain/intent.ts";
import type { IntentStore, Outcomes } from "../../../src/trading/orders/ports.ts";

/** Carries outcomes inside one process, and counts who listens. */
export class MemoryOutcomes implements Outcomes {
  readonly expected: IntentId[] = [];
  /** How long each was waited for. */
  readonly waits: number[] = [];
  listening = 0;
  readonly #intents: IntentStore;
  readonly #listeners = new Set<(record: IntentRecord) => void>();

  constructor(intents: IntentStore) {
    this.#intents = intents;
  }

  readonly expect: Outcomes["expect"] = (account, id) => {
    this.expected.push(id);
    this.listening += 1;
    let wake: () => void = () => undefined;
    let settled: IntentRecord | undefined;
    const listener = (record: IntentRecord) => {
      if (record.intentId !== id) return;
      settled = record;
      wake();
    };
    this.#listeners.add(listener);
    return {
      within: async (ms) => {
        this.waits.push(ms);
        if (settled === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (ms === 0) setImmediate(resolve);
          });
        }
        return settled ?? (await this.#read(account, id));
      },
      stop: () => {
        this.listening -= 1;
        this.#listeners.delete(listener);
      },
    };
  };

  readonly isElsewhere = () => false;

  readonly announce: Outcomes["announce"] = (record) => {
    for (const listener of this.#listeners) listener(record);
  };

  async #read(account: AccountId, id: IntentId): Promise<IntentRecord | undefined> {
    const record = await this.#intents.find(account, id);
    if (record === undefined) return undefined;
    return !isUnsettled(record.state) || record.state === "UNKNOWN" ? record : undefined;
  }
}

import type { EntityStore } from "./entity-store.ts";
import type { TradovateAccount } from "./wire.ts";

/** An account that the broker says nothing of may trade: the broker refuses its orders otherwise. */
export function mayTrade(account: TradovateAccount): boolean {
  const { active, readonly, restricted, closed, archived } = account;
  return active !== false && ![readonly, restricted, closed, archived].includes(true);
}

/** Notices that an account of a session may trade again, or may not any more. */
export class TradingAccounts {
  readonly #store: Pick<EntityStore, "all">;
  readonly #onChange: () => void;
  #ids: string | undefined;

  constructor(store: Pick<EntityStore, "all">, onChange: () => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Compares with the time before; the first time there is nothing to compare with. */
  note(): void {
    const trading = this.#store.all("account").filter(mayTrade);
    const ids = trading.map(({ id }) => id).join();
    const isNews = this.#ids !== undefined && this.#ids !== ids;
    this.#ids = ids;
    if (isNews) this.#onChange();
  }
}

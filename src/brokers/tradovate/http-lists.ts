import { BrokerReadError } from "../../trading/ports.ts";
import { penaltyIn } from "./classify-error.ts";
import { type Change, type EntityStore, UnreadableEntityError } from "./entity-store.ts";
import type { RateBudget, RequestPurpose } from "./rate-budget.ts";
import type { RestAnswer, RestClient } from "./rest-client.ts";
import { askAbout } from "./synchronize.ts";
import type { TradovateEntityType } from "./wire.ts";

export interface HttpListsDeps {
  readonly rest: RestClient;
  readonly budget: RateBudget;
  readonly token: () => string | undefined;
  readonly signal: AbortSignal;
}

const refusalOf = (path: string, { status }: RestAnswer): BrokerReadError =>
  new BrokerReadError(`Tradovate answered ${path} with ${status}`);

/** Lists by HTTP: another surface than what the socket has told. */
export class HttpLists {
  readonly #deps: HttpListsDeps;

  constructor(deps: HttpListsDeps) {
    this.#deps = deps;
  }

  /** Throws `BrokerReadError`. */
  async list(path: string, purpose: RequestPurpose): Promise<readonly unknown[]> {
    const answer = await this.#ask(path, purpose);
    if (answer.status === 200 && Array.isArray(answer.data)) return answer.data;
    throw refusalOf(path, answer);
  }

  /** One entity; undefined where the broker has none. Throws `BrokerReadError`. */
  async item(path: string, purpose: RequestPurpose): Promise<unknown> {
    const answer = await this.#ask(path, purpose);
    if (answer.status === 404) return undefined;
    const isPenalty = penaltyIn(answer) !== undefined;
    if (answer.status === 200 && !isPenalty) return answer.data;
    throw refusalOf(path, answer);
  }

  async #ask(path: string, purpose: RequestPurpose): Promise<RestAnswer> {
    const { rest, budget, token, signal } = this.#deps;
    const refusal = budget.take(purpose, path);
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    const answer = await rest
      .ask({ method: "GET", path, token: token() ?? "", signal })
      .catch((error: unknown) => {
        throw new BrokerReadError(error instanceof Error ? error.message : "No answer");
      });
    budget.heed(path, answer);
    return answer;
  }

  /**
   * Takes an order with all that belongs to it, and what is held, into the store. Undefined where the
   * broker does not show the order, or cannot be asked.
   */
  async learnOrder(order: number, store: EntityStore): Promise<readonly Change[] | undefined> {
    const heard: Change[] = [];
    const ask = async (type: TradovateEntityType, query: string) =>
      await this.list(`${type}/${query}`, "protect");
    const take = (type: TradovateEntityType, list: unknown) =>
      void heard.push(...mergeList(store, type, list));
    try {
      take("order", await ask("order", `items?ids=${order}`));
      if (store.get("order", order) === undefined) return undefined;
      await askAbout([order], { store, take, ask: (type, query) => ask(type, `ldeps?${query}`) });
      take("position", await ask("position", "list"));
      return heard;
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return undefined;
    }
  }
}

/** Takes a list that was asked for. Throws `BrokerReadError` where it is none. */
export function mergeList(
  store: EntityStore,
  type: TradovateEntityType,
  list: unknown,
): readonly Change[] {
  if (!Array.isArray(list)) throw new BrokerReadError(`Tradovate's ${type} list is none`);
  try {
    return store.merge(type, list);
  } catch (error) {
    if (!(error instanceof UnreadableEntityError)) throw error;
    throw new BrokerReadError(error.message);
  }
}

/** The same for a list that is the whole truth of what there is. */
export function replaceAll(
  store: EntityStore,
  type: "account" | "position",
  list: unknown,
): readonly Change[] {
  if (!Array.isArray(list)) throw new BrokerReadError(`Tradovate's ${type} list is none`);
  return store.replace(type, list);
}

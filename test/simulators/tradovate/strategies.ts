import { ACCESS_DENIED, type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { toPrice } from "./contract-directory.ts";
import type { PlacedOrder } from "./core-orders.ts";
import type { CoreRunner } from "./core-runner.ts";
import type { OrderStrategyStatus } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";
import { isDead, type OrderJournal } from "./order-journal.ts";
import type { OrderChanges } from "./order-changes.ts";
import type { OrderDesk } from "./order-desk.ts";
import type { Asker, OrderReader } from "./order-reader.ts";
import { type Body, idOf, numberOf, textOf } from "./order-request.ts";
import type { Users } from "./users.ts";

export interface StrategiesDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly users: Users;
  readonly reader: OrderReader;
  readonly desk: OrderDesk;
  readonly changes: OrderChanges;
  readonly journal: OrderJournal;
  readonly runner: CoreRunner;
}

/** The one kind of strategy that is documented. */
const BRACKETS = 2;
const ENTRY_LABEL = "256";
const LEG_LABEL = "0";

interface Params {
  readonly entryVersion: Body;
  readonly bracket: Body;
  readonly brackets: number;
}

interface Running {
  readonly id: number;
  readonly names: readonly PlacedOrder["name"][];
}

/** Brackets that are started as a whole: their orders hang together by rows of their own. */
export class Strategies {
  readonly #deps: StrategiesDeps;
  #running: Running[] = [];

  constructor(deps: StrategiesDeps) {
    this.#deps = deps;
    deps.runner.onTold(() => this.#look());
  }

  start(asker: Asker, body: Body): Answer {
    const params = readParams(body);
    if ("status" in params) return params;
    if (body["orderStrategyTypeId"] !== BRACKETS) {
      return ok({ errorText: "Only strategies of type 2 are supported" });
    }
    const refusal = unsupportedIn(params);
    if (refusal !== undefined) return ok({ errorText: refusal });
    const { reader } = this.#deps;
    const whole = { orderType: "Market", ...body, ...params.entryVersion };
    const entry = reader.read(asker, whole);
    if ("answer" in entry) return asErrorText(entry.answer);
    const legs = reader.readLegs(entry.value, legsOf(entry.value, params.bracket, this.#market));
    if ("answer" in legs) return asErrorText(legs.answer);
    return this.#run(asker, body, { entry: entry.value, legs: legs.value });
  }

  /** Ends the strategy and all its orders that are alive; a position that it has opened stays. */
  interrupt({ user }: Asker, body: Body): Answer {
    const id = idOf(body["orderStrategyId"]);
    if (id === undefined) return badRequest("Missing field: orderStrategyId");
    const { store, runner, journal, changes, users } = this.#deps;
    const strategy = store.get("orderStrategy", id);
    if (strategy === undefined) return notFound(`orderStrategy ${id}`);
    if (users.ownerOf(strategy.accountId) !== user) return ACCESS_DENIED;
    const running = this.#running.find((each) => each.id === id);
    if (running === undefined) return ok({ errorText: "The strategy is over" });
    return runner.answer(user, () => {
      this.#running = this.#running.filter((each) => each !== running);
      changes.end(running.names.flatMap((name) => journal.byName(name) ?? []));
      return { orderStrategy: store.update("orderStrategy", id, { status: "StoppedByUser" }) };
    });
  }

  #run(
    asker: Asker,
    body: Body,
    { entry, legs }: { entry: PlacedOrder; legs: readonly PlacedOrder[] },
  ): Answer {
    const { store, clock, desk, runner } = this.#deps;
    const { accountId, listed, wish } = entry.origin;
    const id = store.nextId();
    return runner.answer(asker.user, () => {
      store.create("orderStrategy", accountId, {
        id,
        accountId,
        timestamp: clock.iso(),
        contractId: listed.entity.id,
        orderStrategyTypeId: BRACKETS,
        action: wish.action,
        params: String(body["params"]),
        ...(typeof body["uuid"] === "string" && { uuid: body["uuid"] }),
        status: "InactiveStrategy",
        senderId: asker.user.id,
      });
      const orderStrategy = store.update("orderStrategy", id, { status: "ActiveStrategy" });
      const placement = desk.bracket(
        labelled(entry, { id, label: ENTRY_LABEL }),
        legs.map((leg) => labelled(leg, { id, label: LEG_LABEL })),
      );
      const answer = desk.submit(asker, { ...placement, answer: () => ({ orderStrategy }) });
      answer.afterwards?.();
      const names = [entry.name, ...placement.others.map(({ name }) => name)];
      this.#running.push({ id, names });
      this.#look();
      return answer.body as object;
    });
  }

  /** The street's price now, for an entry that has none of its own. */
  readonly #market = ({ origin }: PlacedOrder): number => {
    const quote = this.#deps.runner.quoteOf(origin.listed.code);
    const px = origin.wish.action === "Buy" ? quote.ask : quote.bid;
    return toPrice(px, origin.listed.tickSize);
  };

  #look(): void {
    const over = this.#running.filter((strategy) => this.#endOf(strategy) !== undefined);
    if (over.length === 0) return;
    this.#running = this.#running.filter((strategy) => !over.includes(strategy));
    for (const strategy of over) {
      const status = this.#endOf(strategy);
      if (status !== undefined) {
        this.#deps.store.update("orderStrategy", strategy.id, { status });
      }
    }
  }

  #endOf({ names }: Running): OrderStrategyStatus | undefined {
    const orders = names.flatMap((name) => this.#deps.journal.byName(name) ?? []);
    if (!orders.every(isDead)) return undefined;
    const [entry] = orders;
    if (entry === undefined || entry.ordStatus === "Rejected") return "ExecutionFailed";
    return entry.ordStatus === "Filled" ? "ExecutionFinished" : "ExecutionInterrupted";
  }
}

/** The core has one fixed stop and one target for the whole entry: less would protect otherwise. */
function unsupportedIn({ entryVersion, bracket, brackets }: Params): string | undefined {
  if (brackets > 1) return "The simulator takes one bracket";
  if (bracket["trailingStop"] === true) return "The simulator takes no trailing stop in a bracket";
  const { qty = entryVersion["orderQty"] } = bracket;
  const isWhole = qty === entryVersion["orderQty"];
  return isWhole ? undefined : "The simulator takes a bracket for the whole entry";
}

function labelled(order: PlacedOrder, strategy: { id: number; label: string }): PlacedOrder {
  return { ...order, origin: { ...order.origin, strategy } };
}

function readParams(body: Body): Params | Answer {
  const text = textOf(body["params"]);
  if (text === undefined) return badRequest("Missing field: params");
  try {
    const { entryVersion, brackets } = JSON.parse(text) as {
      entryVersion?: Body;
      brackets?: readonly Body[];
    };
    const [bracket] = brackets ?? [];
    if (entryVersion === undefined || bracket === undefined) return badRequest("Malformed params");
    return { entryVersion, bracket, brackets: brackets?.length ?? 0 };
  } catch {
    return badRequest("Malformed params");
  }
}

/** Targets and stops are distances in points, signed by direction, unless `absPrice` is true. */
function legsOf(
  entry: PlacedOrder,
  bracket: Body,
  market: (entry: PlacedOrder) => number,
): readonly (Body | undefined)[] {
  const { wish } = entry.origin;
  const from = wish.price ?? wish.stopPrice ?? market(entry);
  const isAbsolute = bracket["absPrice"] === true;
  const at = (name: string) => {
    const value = numberOf(bracket[name]);
    return value === undefined || isAbsolute ? value : from + value;
  };
  const action = wish.action === "Buy" ? "Sell" : "Buy";
  const [price, stopPrice] = [at("profitTarget"), at("stopLoss")];
  const target = price === undefined ? undefined : { action, orderType: "Limit", price };
  const stop = stopPrice === undefined ? undefined : { action, orderType: "Stop", stopPrice };
  return target === undefined ? [stop] : [target, stop];
}

function asErrorText(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  const { failureText = "Malformed order" } = answer.body as { failureText?: string };
  return ok({ errorText: failureText });
}

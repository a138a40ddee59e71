import type { Clock } from "./clock.ts";
import { type Envelope, ok, type OrderEntity, STATUS } from "./entities.ts";
import type { BookedOrder, OrderBook } from "./order-book.ts";
import { type Body, MalformedError } from "./request.ts";
import type { Settings } from "./settings.ts";

/** What `Order/v2/query` is asked for. */
export interface OrderQuery {
  readonly account: number;
  readonly statuses: readonly unknown[] | undefined;
  readonly contractId: string | undefined;
  /** Unix ms. */
  readonly createdAfter: number;
  readonly createdBefore: number;
  readonly size: number;
  /** Rows to skip, not pages [COM: measured]. */
  readonly offset: number;
  readonly sortBy: string;
  readonly isDescending: boolean;
  readonly counts: boolean;
}

/** An answer has no more [COM: measured]. */
const MOST_ROWS = 100;

/** Throws where it is not of the documents' form: all that narrows it down is in `filter` [OFF]. */
export function readQuery(body: Body): OrderQuery {
  const filter = body.object("filter");
  if (filter === undefined) {
    throw new MalformedError(
      "JSON deserialization for type 'SearchOrdersQueryRequest' was missing required properties including: 'filter'.",
    );
  }
  const { sortBy, sortDirection } = body.fields;
  const isNamedSo = typeof sortDirection === "string" && /^desc/i.test(sortDirection);
  return {
    account: filter.integer("accountId"),
    statuses: filter.list("statuses"),
    contractId: filter.optionalText("contractId"),
    createdAfter: filter.optionalInstant("createdAfter") ?? -Infinity,
    createdBefore: filter.optionalInstant("createdBefore") ?? Infinity,
    size: Math.min(rows(body, "pageSize") ?? MOST_ROWS, MOST_ROWS),
    offset: rows(body, "pageOffset") ?? 0,
    sortBy: typeof sortBy === "string" ? sortBy : "id",
    isDescending: isNamedSo || sortDirection === 1,
    counts: body.flag("includeTotalCount"),
  };
}

function rows(body: Body, name: string): number | undefined {
  const count = body.optionalInteger(name);
  if (count === undefined || count >= 0) return count;
  throw new MalformedError(`The field ${name} must be 0 or more.`);
}

/** One page of the account's orders. */
export function answerQuery(
  query: OrderQuery,
  {
    orders,
    clock,
    settings,
  }: { readonly orders: OrderBook; readonly clock: Clock; readonly settings: Settings },
): Envelope {
  const { statuses, contractId, createdAfter, createdBefore, offset, size } = query;
  const listedUntil = clock.now() - settings.listLagMs;
  const isShown = ({ status }: BookedOrder) =>
    status !== STATUS.suspended || settings.queryShowsSuspended;
  const isOfContract = (entity: OrderEntity) =>
    !settings.queryHeedsContract || contractId === undefined || entity.contractId === contractId;
  const found = orders
    .of(query.account)
    .filter(({ createdAt }) => createdAt <= listedUntil)
    .filter(({ createdAt }) => createdAt >= createdAfter && createdAt <= createdBefore)
    .filter(isShown)
    .map((order) => orders.entity(order))
    .filter(isOfContract)
    .filter(({ status }) => statuses === undefined || statuses.includes(status))
    .sort(by(query));
  return ok({
    orders: found.slice(offset, offset + size),
    totalCount: query.counts ? found.length : null,
  });
}

function by({ sortBy, isDescending }: OrderQuery): (a: OrderEntity, b: OrderEntity) => number {
  const valueOf = (order: OrderEntity): number | string => {
    const field = Object.entries(order).find(
      ([name]) => name.toLowerCase() === sortBy.toLowerCase(),
    );
    const value: unknown = field?.[1];
    return typeof value === "number" || typeof value === "string" ? value : order.id;
  };
  const direction = isDescending ? -1 : 1;
  return (a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === other) return a.id - b.id;
    return (one < other ? -1 : 1) * direction;
  };
}

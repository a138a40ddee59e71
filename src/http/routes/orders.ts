import type { Gateway } from "../../trading/gateway.ts";
import { fingerprint, readIdempotencyKey } from "../requests/idempotency-key.ts";
import { readOrder } from "../requests/read-order.ts";
import { presentWorkingOrders } from "../present/account.ts";
import { presentCancel, presentModifiedOrder, presentOrder } from "../present/order.ts";
import { type Achieved, settledAnswer } from "../present/outcome.ts";
import { type ApiRoute, apiRoute, OWN_RECORD } from "../route.ts";
import {
  CancelReply,
  ModifyOrderBody,
  ModifyReply,
  OrderReply,
  PlaceOrderBody,
  WorkingOrdersReply,
} from "../schemas/order.ts";
import { AccountIdText, IdempotencyKeyText, OrderIdText } from "../schemas/parts.ts";
import { accountOf, orderOf } from "../requests/path-ids.ts";
import { LANE_ERRORS, MODIFYING_ERRORS, PLACING_ERRORS } from "./error-sets.ts";
import {
  CANCELLATION,
  MODIFICATION,
  MODIFY_BODIES,
  ORDER,
  ORDER_BODIES,
  WORKING_ORDERS,
} from "../schemas/examples.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface OrderRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

export function orderRoutes(deps: OrderRouteDeps): ApiRoute[] {
  return [placeOrder(deps), modifyOrder(deps), cancelOrder(deps), workingOrders(deps)];
}

function placeOrder({ gateway, describeContract }: OrderRouteDeps): ApiRoute {
  const reply = {
    kind: "PLACE",
    status: 201,
    present: (achieved: Parameters<typeof presentOrder>[0]) =>
      presentOrder(achieved, describeContract),
  } as const;

  return apiRoute({
    method: "POST",
    path: "/v1/accounts/{id}/orders",
    id: "placeOrder",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Orders",
    summary: "Place an order",
    description:
      "Answers when a market, ioc or fok order has ended, or when the broker has acknowledged any other; after 5 seconds at the latest. An ioc order that found nothing is a 201 with the status canceled. After a 500, read the intent before trying again, or repeat the call with the same Idempotency-Key.",
    scope: "trade",
    params: { id: AccountIdText },
    headers: { "Idempotency-Key": IdempotencyKeyText },
    body: PlaceOrderBody,
    bodyExamples: ORDER_BODIES,
    replies: [
      {
        status: 201,
        description: "The order as it stands",
        schema: OrderReply,
        headers: {
          "Idempotency-Replayed": "true when this is the answer of an earlier call",
        },
        example: ORDER,
      },
    ],
    errors: [...PLACING_ERRORS, "IDEMPOTENCY_KEY_REUSED"],
    async handle({ caller, params, body, headers }) {
      const account = accountOf(params["id"]);
      const key = readIdempotencyKey(headers);
      const idempotency = key === undefined ? undefined : { key, fingerprint: fingerprint(body) };
      const settled = await gateway.placeOrder(caller, account, readOrder(body), idempotency);
      return settledAnswer(settled, reply);
    },
  });
}

function modifyOrder({ gateway, describeContract }: OrderRouteDeps): ApiRoute {
  const present = (achieved: Achieved<"MODIFY">) =>
    presentModifiedOrder(achieved, describeContract);
  return apiRoute({
    method: "PATCH",
    path: "/v1/accounts/{id}/orders/{orderId}",
    id: "modifyOrder",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Orders",
    summary: "Change a working order",
    description:
      "Changes the quantity or the prices of an order that was placed here. A larger quantity, and a price nearer to the market, is held to limits, guards and the kill switch like a new order, unless the order reduces a position. Of a take-profit or stop-loss only the price can be changed. An order that stands as asked already is left alone, so after a 500 the call may be repeated. It can fill at once at its new price: see status.",
    scope: "trade",
    params: { id: AccountIdText, orderId: OrderIdText },
    body: ModifyOrderBody,
    bodyExamples: MODIFY_BODIES,
    replies: [
      {
        status: 200,
        description: "The order as it stands",
        schema: ModifyReply,
        example: MODIFICATION,
      },
    ],
    errors: MODIFYING_ERRORS,
    async handle({ caller, params, body: { qty, ...prices } }) {
      const change = { ...prices, ...(qty !== undefined && { orderQty: qty }) };
      const account = accountOf(params["id"]);
      const settled = await gateway.modifyOrder(caller, account, orderOf(params), change);
      return settledAnswer(settled, { kind: "MODIFY", status: 200, present });
    },
  });
}

function cancelOrder({ gateway }: OrderRouteDeps): ApiRoute {
  return apiRoute({
    method: "DELETE",
    path: "/v1/accounts/{id}/orders/{orderId}",
    id: "cancelOrder",
    reserve: "exits",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Orders",
    summary: "Cancel a single order",
    description:
      "Never closes a position. With an unfilled entry its bracket goes too; of a partly filled one the rest is cancelled. When a leg of a filled bracket is cancelled, the other one is placed again under a new id.",
    scope: "trade",
    params: { id: AccountIdText, orderId: OrderIdText },
    replies: [
      { status: 200, description: "Cancelled", schema: CancelReply, example: CANCELLATION },
    ],
    errors: [...LANE_ERRORS, "CANCEL_REJECTED"],
    async handle({ caller, params }) {
      const settled = await gateway.cancelOrder(caller, accountOf(params["id"]), orderOf(params));
      return settledAnswer(settled, { kind: "CANCEL", status: 200, present: presentCancel });
    },
  });
}

function workingOrders({ gateway, describeContract }: OrderRouteDeps): ApiRoute {
  return apiRoute({
    method: "GET",
    path: "/v1/accounts/{id}/working-orders",
    id: "listWorkingOrders",
    tag: "Orders",
    summary: "List working orders",
    description:
      "Read from the broker now: unfilled entries and live take-profits and stop-losses, those placed by hand included.",
    effect: "read",
    scope: "read",
    params: { id: AccountIdText },
    replies: [
      {
        status: 200,
        description: "Every order that may still fill",
        schema: WorkingOrdersReply,
        example: WORKING_ORDERS,
      },
    ],
    errors: ["NOT_FOUND", "ACCOUNT_INACTIVE", "BROKER_UNAVAILABLE"],
    async handle({ caller, params }) {
      const orders = await gateway.readWorkingOrders(caller, accountOf(params["id"]));
      return { status: 200, body: presentWorkingOrders(orders, describeContract) };
    },
  });
}

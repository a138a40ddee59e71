import type { Gateway } from "../../trading/gateway.ts";
import { presentPositions, presentTrades } from "../present/account.ts";
import { presentFlatten } from "../present/holding.ts";
import { presentProtection } from "../present/order.ts";
import { type Achieved, settledAnswer } from "../present/outcome.ts";
import { readRange } from "../requests/read-range.ts";
import { type ApiRoute, apiRoute, OWN_RECORD, type PersonRoute, personRoute } from "../route.ts";
import { AccountIdText } from "../schemas/parts.ts";
import {
  FlattenQuery,
  FlattenGoesOnReply,
  FlattenReply,
  PositionsReply,
  ProtectBody,
  ProtectReply,
  TradesQuery,
  TradesReply,
} from "../schemas/position.ts";
import { FLATTEN_GOES_ON, FLATTENED, POSITIONS, PROTECTION, TRADES } from "../schemas/examples.ts";
import { LANE_ERRORS } from "./error-sets.ts";
import { accountOf } from "../requests/path-ids.ts";
import { MAX_FILLS_KEPT } from "../../trading/reads/fill-pages.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface PositionRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

export function positionRoutes(deps: PositionRouteDeps): ApiRoute[] {
  return [listPositions(deps), listTrades(deps), protect(deps), flatten(deps)];
}

function listPositions({ gateway, describeContract }: PositionRouteDeps): ApiRoute {
  return apiRoute({
    method: "GET",
    path: "/v1/accounts/{id}/positions",
    id: "listPositions",
    tag: "Positions",
    summary: "List open positions",
    description: "As the broker last reported them; live tells whether its connection is up.",
    effect: "read",
    scope: "read",
    params: { id: AccountIdText },
    replies: [
      { status: 200, description: "What is held", schema: PositionsReply, example: POSITIONS },
    ],
    errors: ["NOT_FOUND"],
    async handle({ caller, params }) {
      const positions = await gateway.readPositions(caller, accountOf(params["id"]));
      return { status: 200, body: presentPositions(positions, describeContract) };
    },
  });
}

/** A loosening: what was last seen of an account holds other accounts to their side. */
export function forgetRoutes({ gateway, describeContract }: PositionRouteDeps): PersonRoute[] {
  return [
    personRoute({
      method: "POST",
      path: "/v1/accounts/{id}/positions/forget",
      id: "forgetPositions",
      tag: "Positions",
      summary: "Say that an inactive account is flat at its broker",
      description:
        "For a person who has looked at the broker, and has just confirmed who they are. The gateway cannot read an inactive account, so its last known positions stay, and guards of other accounts count them. This takes them back: the ledger closes them at an estimated price. Once the account is read again, the broker's word counts.",
      asksProof: true,
      effect: "change",
      audit: { message: "Positions of an inactive account forgotten" },
      params: { id: AccountIdText },
      replies: [
        {
          status: 200,
          description: "The positions that are known now",
          schema: PositionsReply,
          example: POSITIONS,
        },
      ],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "ACCOUNT_ACTIVE"],
      async handle({ person, params }) {
        const accountId = accountOf(params["id"]);
        await gateway.forgetPositions(person, accountId);
        const positions = await gateway.readPositions(person, accountId);
        const body = presentPositions(positions, describeContract);
        return { status: 200, body, changed: { accountId } };
      },
    }),
  ];
}

function listTrades({ gateway, describeContract }: PositionRouteDeps): ApiRoute {
  return apiRoute({
    method: "GET",
    path: "/v1/accounts/{id}/orders",
    id: "listTrades",
    tag: "Positions",
    summary: "List executed trades, newest first",
    description: `Trade history, not orders: the path keeps its name for older clients. The newest ${MAX_FILLS_KEPT.toLocaleString("en")} trades of each account are kept, however long the broker keeps them. Trades that come in while pages are read move nothing on the next ones.`,
    effect: "read",
    scope: "read",
    params: { id: AccountIdText },
    query: TradesQuery,
    replies: [{ status: 200, description: "One page", schema: TradesReply, example: TRADES }],
    errors: ["NOT_FOUND", "UNKNOWN_SYMBOL"],
    async handle({ caller, params, query }) {
      const { from, to, ...same } = query;
      const request = { ...same, ...readRange({ from, to }) };
      const page = await gateway.readTrades(caller, accountOf(params["id"]), request);
      return { status: 200, body: presentTrades(page, describeContract) };
    },
  });
}

function protect({ gateway, describeContract }: PositionRouteDeps): ApiRoute {
  const present = (achieved: Achieved<"PROTECT">) => presentProtection(achieved, describeContract);
  return apiRoute({
    method: "POST",
    path: "/v1/accounts/{id}/protect",
    id: "protectPosition",
    reserve: "exits",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Positions",
    summary: "Attach or replace the take-profit and stop-loss of an open position",
    description:
      "For the position's full size; a level that is not given stays as it is. An exit plan takes the place of all that is there. A pair that is there already is changed in place and keeps its ids; otherwise all that is there makes way for one new pair. A 502 PROTECTION_REPLACE_FAILED says that the position is not protected as asked: it names the levels that are gone, what stands now, and whether the old ones could be put back.",
    scope: "trade",
    params: { id: AccountIdText },
    body: ProtectBody,
    bodyExamples: {
      both: { symbol: "ES", takeProfit: { price: 5010 }, stopLoss: { ticks: 20 } },
      planned: { symbol: "ES", exitPlan: "runner" },
    },
    replies: [{ status: 200, description: "Protected", schema: ProtectReply, example: PROTECTION }],
    errors: [
      ...LANE_ERRORS,
      "UNKNOWN_SYMBOL",
      "SYMBOL_MISMATCH",
      "NO_POSITION",
      "LIMIT_EXCEEDED",
      "BROKER_ORDER_REJECTED",
      "PROTECTION_REPLACE_FAILED",
    ],
    async handle({ caller, params, body }) {
      const settled = await gateway.protectPosition(caller, accountOf(params["id"]), body);
      return settledAnswer(settled, { kind: "PROTECT", status: 200, present });
    },
  });
}

function flatten({ gateway, describeContract }: PositionRouteDeps): ApiRoute {
  const present = (achieved: Achieved<"FLATTEN">) => presentFlatten(achieved, describeContract);
  return apiRoute({
    method: "DELETE",
    refusesBody: true,
    path: "/v1/accounts/{id}/positions",
    id: "flattenAccount",
    reserve: "exits",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Positions",
    summary: "Close every position of the account",
    description:
      "Cancels the take-profits and stop-losses of what it closes. Resting entries stay. With symbol, only that symbol's position is closed. A close that the broker refuses gets its exits back and is tried again by itself. While nothing of it trades by its exchange's hours, it is refused with MARKET_CLOSED, and nothing is touched.",
    scope: "trade",
    params: { id: AccountIdText },
    query: FlattenQuery,
    replies: [
      {
        status: 200,
        description: "What was closed and what remains",
        schema: FlattenReply,
        example: FLATTENED,
      },
      {
        status: 202,
        description: "Not all is closed yet. It goes on by itself: read the intent",
        schema: FlattenGoesOnReply,
        example: FLATTEN_GOES_ON,
      },
    ],
    errors: [
      ...LANE_ERRORS,
      "MARKET_CLOSED",
      "UNKNOWN_SYMBOL",
      "SYMBOL_MISMATCH",
      "NO_POSITION",
      "BROKER_ORDER_REJECTED",
    ],
    async handle({ caller, params, query }) {
      const settled = await gateway.flattenAccount(caller, accountOf(params["id"]), query.symbol);
      return settledAnswer(settled, { kind: "FLATTEN", status: 200, present });
    },
  });
}

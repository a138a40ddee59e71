import { isTimeZone } from "../../domain/calendar/local-time.ts";
import { errors } from "../../errors.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { presentAccountMoney, presentBalances, presentLedger } from "../present/money.ts";
import { NO_ZONE } from "../requests/time-zone.ts";
import { accountOf } from "../requests/path-ids.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ACCOUNT_CHANGES,
  ACCOUNT_EXAMPLE,
  AccountChangeBody,
  AccountReply,
  AllMoneyReply,
  BALANCES,
  LEDGER,
  LedgerQuery,
  LedgerReply,
  MoneyReply,
} from "../schemas/money.ts";
import { AccountIdText } from "../schemas/parts.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

interface BalanceRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

const OF_ACCOUNT = {
  tag: "Accounts",
  effect: "read",
  scope: "read",
  params: { id: AccountIdText },
  errors: ["NOT_FOUND"],
} as const;

/** What accounts are worth now, and everything they have ever traded. */
export function balanceRoutes({ gateway, describeContract }: BalanceRouteDeps): ApiRoute[] {
  return [
    apiRoute({
      ...OF_ACCOUNT,
      method: "GET",
      path: "/v1/accounts/{id}",
      id: "readAccount",
      summary: "Read an account, and what it is worth",
      description: "The account as GET /v1/accounts lists it, with its balances.",
      replies: [
        {
          status: 200,
          description: "As it is now",
          schema: AccountReply,
          example: ACCOUNT_EXAMPLE,
        },
      ],
      handle: async ({ caller, params }) => ({
        status: 200,
        body: presentAccountMoney(
          await gateway.readAccountMoney(caller, accountOf(params["id"])),
          describeContract,
        ),
      }),
    }),
    apiRoute({
      method: "PATCH",
      path: "/v1/accounts/{id}",
      id: "changeAccount",
      tag: "Accounts",
      effect: "change",
      audit: { message: "Account changed" },
      summary: "Set when the days of an account begin",
      description:
        "Fills, fees, counts, guards and summaries go by these days. The present day is never cut short: it lasts until a day of the new clock begins after its end. No fill changes its day, and no lock ends sooner. Days that are not from 17:00 to 17:00 in Chicago are not compared with the broker's own figures of a day.",
      scope: "manage",
      params: { id: AccountIdText },
      body: AccountChangeBody,
      bodyExamples: ACCOUNT_CHANGES,
      replies: [
        {
          status: 200,
          description: "As it is now",
          schema: AccountReply,
          example: ACCOUNT_EXAMPLE,
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params, body: { day } }) {
        if (!isTimeZone(day.zone)) {
          throw errors.validationFailed([{ path: "day.zone", message: NO_ZONE }]);
        }
        const accountId = accountOf(params["id"]);
        await gateway.changeAccountDay(caller, accountId, day);
        const money = await gateway.readAccountMoney(caller, accountId);
        return {
          status: 200,
          body: presentAccountMoney(money, describeContract),
          changed: { accountId },
        };
      },
    }),
    apiRoute({
      ...OF_ACCOUNT,
      method: "GET",
      path: "/v1/accounts/{id}/balances",
      id: "readBalances",
      summary: "Read what an account is worth",
      description:
        "By the broker's word, and beside it by the gateway's own ledger and the newest prices: each currency for itself, each figure with its source and time. A figure that nobody has told is null.",
      replies: [
        { status: 200, description: "As it is now", schema: MoneyReply, example: BALANCES },
      ],
      handle: async ({ caller, params }) => ({
        status: 200,
        body: presentBalances(
          await gateway.readAccountMoney(caller, accountOf(params["id"])),
          describeContract,
        ),
      }),
    }),
    apiRoute({
      method: "GET",
      path: "/v1/balances",
      id: "listBalances",
      tag: "Accounts",
      effect: "read",
      scope: "read",
      errors: [],
      summary: "Read what all accounts are worth",
      description:
        "As the broker said it last, which it is asked every few seconds of an account that trades.",
      replies: [
        {
          status: 200,
          description: "Every account",
          schema: AllMoneyReply,
          example: { accounts: [ACCOUNT_EXAMPLE] },
        },
      ],
      async handle({ caller }) {
        const all = await gateway.readAllMoney(caller);
        const accounts = all.map((money) => presentAccountMoney(money, describeContract));
        return { status: 200, body: { accounts } };
      },
    }),
    apiRoute({
      ...OF_ACCOUNT,
      method: "GET",
      path: "/v1/accounts/{id}/ledger",
      id: "listLedger",
      summary: "List everything the account has traded, newest first",
      description:
        "Every fill for good, with where it came from, what it cost, and the price that its alert named. Lines are only added: what turns out otherwise is another line.",
      query: LedgerQuery,
      replies: [{ status: 200, description: "One page", schema: LedgerReply, example: LEDGER }],
      async handle({ caller, params, query }) {
        const page = await gateway.readLedger(caller, accountOf(params["id"]), query);
        return { status: 200, body: presentLedger(page, describeContract) };
      },
    }),
  ];
}

import { MAX_GROUP_MEMBERS } from "../../../../domain/account-groups/account-group.ts";
import type { NamedAccount } from "../../../../domain/alert.ts";
import { formatScaled, parseDecimal, times } from "../../../../domain/contracts/decimal.ts";
import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { isObject } from "../../written-values.ts";
import { type ProfileOptions, SEVERAL_ACCOUNTS } from "../../alert-profile.ts";
import { EXITS, IGNORED, KNOWN, REFUSED } from "./fields.ts";

const NAME = "multiple_accounts";
const ACCOUNT = "account_id";
const TOKEN = { max: 1_000 };
const OTHERS = "has another token than the first one: a group is of one login of the service";

/** What the account's own row says of the size, and a way to say what is wrong with it. */
export interface AccountRow {
  readonly riskPercent?: WrittenNumber;
  readonly multiplier?: WrittenNumber;
  /** Which account of a group it is. */
  readonly account?: NamedAccount;
  readonly refuse: (name: string, why: string) => void;
  readonly problem: (name: string, why: string) => void;
}

const NO_ROW: AccountRow = { refuse: () => undefined, problem: () => undefined };

/**
 * A row for each account; on a webhook for one account at most one, which the webhook's token says
 * already. There is always one to read an order by.
 */
export function readAccounts(
  fields: AlertFields,
  { forGroup }: ProfileOptions,
): readonly [AccountRow, ...AccountRow[]] {
  const rows = fields.value(NAME);
  if (rows === undefined) return [forGroup ? nameBeside(fields) : NO_ROW];
  const most = forGroup ? MAX_GROUP_MEMBERS : 1;
  const why = whyNotRows(rows, most);
  if (why !== undefined) {
    fields.problem(NAME, why);
    return [NO_ROW];
  }
  const [first = {}, ...others] = rows as readonly Readonly<Record<string, unknown>>[];
  const read = (row: typeof first, n: number) => readRow(fields, row, n);
  if (!forGroup) return [read(first, 0)];
  const token = fields.within(`${NAME}.0`, first).text("token", TOKEN) ?? "";
  const named = (row: typeof first, n: number) => ({
    ...read(row, n),
    account: nameIn(fields.within(`${NAME}.${n}`, row), n, token),
  });
  // The only one may leave it to the group which accounts are meant.
  const only = others.length === 0 && fields.within(`${NAME}.0`, first).text(ACCOUNT) === undefined;
  if (only) return [read(first, 0)];
  return [named(first, 0), ...others.map((row, n) => named(row, n + 1))];
}

function nameBeside(fields: AlertFields): AccountRow {
  const name = fields.text(ACCOUNT);
  return name === undefined ? NO_ROW : { ...NO_ROW, account: { at: ACCOUNT, name } };
}

/** Another token is another person's login there, and a group has the accounts of one. */
function nameIn(row: AlertFields, n: number, token: string): NamedAccount {
  const name = row.text(ACCOUNT) ?? "";
  const own = row.text("token", TOKEN) ?? "";
  const isOthers = own !== "" && token !== "" && own !== token;
  const problem = name === "" ? "is needed beside other accounts" : isOthers && OTHERS;
  return { at: `${NAME}.${n}.${ACCOUNT}`, name, ...(problem !== false && { problem }) };
}

function readRow(fields: AlertFields, given: Readonly<Record<string, unknown>>, n: number) {
  const row = fields.within(`${NAME}.${n}`, given);
  const riskPercent = row.percent("risk_percentage");
  const multiplier = row.number("quantity_multiplier");
  for (const [refused, reason] of Object.entries(REFUSED)) row.refuse(refused, reason);
  for (const misplaced of ["quantity", ...EXITS]) {
    row.refuse(misplaced, `is no field of an account: write it beside ${NAME}`);
  }
  row.ignore(...IGNORED);
  row.know(...KNOWN);
  return {
    ...(riskPercent !== undefined && { riskPercent }),
    ...(multiplier !== undefined && { multiplier }),
    refuse: (name: string, reason: string) => row.refuse(name, reason),
    problem: (name: string, reason: string) => row.problem(name, reason),
  };
}

function whyNotRows(rows: unknown, most: number): string | undefined {
  if (!Array.isArray(rows)) return "must be a list of accounts";
  if (rows.length > most) return most === 1 ? SEVERAL_ACCOUNTS : `must be at most ${most} accounts`;
  return rows.length === 0 || !rows.every(isObject)
    ? "must hold one account, or be left out"
    : undefined;
}

/** As many contracts as the row makes of them; a part of one is no order that was meant. */
export function multiplied(qty: number, { multiplier = 1, problem }: AccountRow): number {
  const factor = parseDecimal(String(multiplier));
  const product = factor && Number(formatScaled(times(factor, qty)));
  if (product !== undefined && Number.isInteger(product) && product > 0) return product;
  const makes = `makes ${product ?? "no number"} of ${qty} contracts`;
  // 0, too, is refused: it would be an order for nothing.
  problem(
    "quantity_multiplier",
    `${makes}: write one that makes a whole number of them, or leave it 1`,
  );
  return qty;
}

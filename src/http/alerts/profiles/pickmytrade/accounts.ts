import { formatScaled, parseDecimal, times } from "../../../../domain/contracts/decimal.ts";
import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import { type AlertFields, isObject } from "../../alert-fields.ts";
import { EXITS, IGNORED, KNOWN, REFUSED } from "./fields.ts";

const NAME = "multiple_accounts";

/** What the account's own row says of the size, and a way to say what is wrong with it. */
export interface AccountRow {
  readonly riskPercent?: WrittenNumber;
  readonly multiplier?: WrittenNumber;
  readonly refuse: (name: string, why: string) => void;
  readonly problem: (name: string, why: string) => void;
}

/** One row says of whose account the alert is, which the webhook's token says too, and how large. */
export function readAccounts(fields: AlertFields): AccountRow {
  const rows = fields.value(NAME);
  const none: AccountRow = { refuse: () => undefined, problem: () => undefined };
  if (rows === undefined) return none;
  const [only]: readonly unknown[] = Array.isArray(rows) ? rows : [];
  const why = whyNotOne(rows);
  if (why !== undefined || !isObject(only)) {
    fields.problem(NAME, why ?? "must hold one account, or be left out");
    return none;
  }
  const row = fields.within(`${NAME}.0`, only);
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
    refuse: (name, reason) => row.refuse(name, reason),
    problem: (name, reason) => row.problem(name, reason),
  };
}

function whyNotOne(rows: unknown): string | undefined {
  if (!Array.isArray(rows)) return "must be a list of accounts";
  return rows.length > 1 ? "names several: one webhook is one account" : undefined;
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

import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { type AccountRow, multiplied } from "./accounts.ts";

/** How large an entry is. */
export interface EntrySize {
  /** Contracts; one at least where it is sized. */
  readonly qty: number;
  /** The same before the account's multiplier. */
  readonly asked: number;
  /** What may be lost at its stop, in percent of what the account is worth. */
  readonly riskPercent?: WrittenNumber;
}

interface Sizing {
  readonly defaultQty?: number;
  readonly account: AccountRow;
}

/** By `risk_percentage`, of the alert or of its account, or else in contracts. */
export function readSize(fields: AlertFields, sizing: Sizing): EntrySize | undefined {
  const { account, defaultQty } = sizing;
  const riskPercent = readRisk(fields, account);
  if (riskPercent === undefined) return readContracts(fields, account, defaultQty);
  fields.refuse("quantity", "is given beside risk_percentage, which works it out: set it to 0");
  if (![0, 1].includes(Number(account.multiplier ?? 1))) {
    account.problem(
      "quantity_multiplier",
      "must be 1 beside risk_percentage, which sizes the order",
    );
  }
  return { qty: 1, asked: 1, riskPercent };
}

function readRisk(fields: AlertFields, account: AccountRow): WrittenNumber | undefined {
  const asked = fields.percent("risk_percentage");
  const { riskPercent: own = asked } = account;
  if (asked !== undefined && Number(own) !== Number(asked)) {
    account.problem("risk_percentage", "says another risk than the alert: give one of the two");
  }
  return own;
}

/** A quantity of 0 is refused and not the webhook's default: it may be a position that is gone. */
function readContracts(
  fields: AlertFields,
  account: AccountRow,
  defaultQty: number | undefined,
): EntrySize | undefined {
  const asked = fields.whole("quantity", { needed: defaultQty === undefined }) ?? defaultQty;
  return asked === undefined ? undefined : { qty: multiplied(asked, account), asked };
}

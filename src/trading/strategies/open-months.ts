import { positionsFor } from "../../domain/adjust.ts";
import { type ContractCode, contractCode } from "../../domain/contracts/contract.ts";
import type { Resolution } from "../../domain/contracts/contract-directory.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { BrokerPosition } from "../ports.ts";
import type { AccountViews } from "../reads/ports.ts";

type Resolved = Extract<Resolution, { kind: "resolved" }>;

/** What an account holds of what a strategy's symbol means. */
export interface OpenMonths {
  /** The nearest expiry first. */
  readonly positions: readonly BrokerPosition[];
  /** Whose bars tell of it. */
  readonly contract: ContractCode;
}

/**
 * While a month is held that is not the front month any more, its own bars are looked at: beside the
 * price at which it was opened, another month's would tell of the difference between the two. As the
 * store has it: the lane looks again before anything is sent.
 */
export async function readOpenMonths(
  views: Pick<AccountViews, "positions">,
  account: AccountId,
  { contract: resolved, isFrontMonth }: Resolved,
): Promise<OpenMonths> {
  const contract = contractCode(resolved);
  const { value } = await views.positions(account);
  const positions = positionsFor(
    { contract, ...(isFrontMonth && { isFrontMonth }) },
    value,
  ).flatMap((held) => value.filter((one) => one.contract === held.contract));
  const isHeld = positions.some((one) => one.contract === contract);
  return { positions, contract: isHeld ? contract : (positions[0]?.contract ?? contract) };
}

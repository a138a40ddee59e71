import type { Typing } from "../../parts/form.tsx";
import type { RuleTyped } from "./rule-typed.ts";
import type { Account } from "./types.ts";

/** What the fields of a kind are given. */
export interface RuleFieldsProps extends Typing<RuleTyped> {
  readonly account: Account;
  /** That amounts are in. */
  readonly currency: string;
}

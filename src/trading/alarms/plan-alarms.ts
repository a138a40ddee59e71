import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";

/** An exit plan that cannot go on. */
export interface PlanAlarm {
  readonly kind: "exitPlanHeld";
  readonly accountId: AccountId;
  readonly contract: ContractCode;
  readonly what: "blind" | "stuck";
  readonly reason: string;
}

/** Those of exit plans among the states that stand. */
export const planAlarmsIn = <State extends { readonly kind: string }>(
  standing: Iterable<State>,
): readonly Extract<State, { readonly kind: "exitPlanHeld" }>[] =>
  [...standing].filter(
    (state): state is Extract<State, { readonly kind: "exitPlanHeld" }> =>
      state.kind === "exitPlanHeld",
  );

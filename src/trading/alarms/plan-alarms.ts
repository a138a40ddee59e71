import type { StateAlarm } from "./alarm.ts";

/** An exit plan that cannot go on. */
export type PlanAlarm = Extract<StateAlarm, { readonly kind: "exitPlanHeld" }>;

/** Those of exit plans among the states that stand. */
export const planAlarmsIn = (standing: Iterable<StateAlarm>): readonly PlanAlarm[] =>
  [...standing].filter((state): state is PlanAlarm => state.kind === "exitPlanHeld");

import { symbolOfCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { needOf } from "../alarms/declared-alarms.ts";
import type { PlanAlarm } from "../alarms/plan-alarms.ts";
import type { Trouble } from "./overview.ts";

/** An exit plan that cannot go on, in words for the account's owner. */
export function planTrouble(alarm: PlanAlarm, nameOf: (account: AccountId) => string): Trouble {
  const { accountId, contract, what, reason, kind } = alarm;
  const plan = `${nameOf(accountId)}: the exit plan of ${symbolOfCode(contract)}`;
  return {
    kind: "exitPlan",
    accountId,
    message: `${plan} ${WHAT[what]} (${reason}). ${MEANWHILE}`,
    ...needOf(kind),
    about: `${contract} ${what}`,
  };
}

const WHAT: Readonly<Record<PlanAlarm["what"], string>> = {
  blind: "sees no prices",
  stuck: "is refused what it is to do",
};

const MEANWHILE = "Exits that are at the broker stay there as they are";

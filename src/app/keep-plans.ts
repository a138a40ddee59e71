import { type ContractCode, parseContractCode } from "../domain/contracts/contract.ts";
import { marketAt } from "../domain/calendar/market-state.ts";
import { createRedisRunningPlans } from "../store/accounts/redis-running-plans.ts";
import type { ContractBooks } from "../trading/lane/book/contract-books.ts";
import type { LaneDeps } from "../trading/lane/lane-deps.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import { createCloseDue } from "../trading/lane/exits/close-due.ts";
import type { PlanKeeperDeps } from "../trading/lane/exits/plan-deps.ts";
import { PlanKeeper } from "../trading/lane/exits/plan-keeper.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { Connections } from "../trading/ports.ts";
import { planIntentIdOf } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { ScheduleLookups } from "./schedule-lookups.ts";

interface PlanParts {
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  readonly quoteOf: PlanKeeperDeps["quoteOf"];
  readonly looks: PlanKeeperDeps["looks"];
  readonly unprotected: UnprotectedPositions;
  readonly books: ContractBooks;
  readonly elapsed: () => number;
}

/** The exit plans of the accounts that are owned here; nothing is added or closed before `startPlans`. */
export function composePlans(base: Foundation, parts: PlanParts): PlanKeeper {
  const { accounts, patient, store, scheduleLookups, alarms, log, now } = base;
  return new PlanKeeper({
    ...parts,
    accounts,
    store: createRedisRunningPlans({ redis: store.worker, keys: store.keys }),
    intents: patient.intents,
    intentIdOf: planIntentIdOf,
    ...hoursOf(scheduleLookups),
    alarms,
    onStep: (accountId, intentId, message) =>
      log.info("Exit plan", { accountId, intentId, reason: message }),
    onError: (accountId, error) => log.warn("An exit plan did not go on", { accountId, error }),
    now,
  });
}

export function marketNow(base: Foundation): LaneDeps["marketOf"] {
  const { config, scheduleLookups, now } = base;
  const sessionsOf = contractSessions(scheduleLookups);
  return ({ keepsHours }, contract) =>
    keepsHours && config.MARKET_HOURS === "exchange"
      ? marketAt(sessionsOf(contract), now())
      : { kind: "open" };
}

function contractSessions({ productOf, sessionsOf }: ScheduleLookups) {
  return (contract: ContractCode) => {
    const root = parseContractCode(contract)?.root;
    return sessionsOf(root === undefined ? undefined : productOf(root));
  };
}

function hoursOf(lookups: ScheduleLookups): Pick<PlanKeeperDeps, "closeDue" | "isTrading"> {
  const hours = contractSessions(lookups);
  return {
    isTrading: (contract, at) => {
      const sessions = hours(contract);
      // With guessed hours one alarm too many is better than none.
      if (sessions.areGuessed) return sessions.at(at).kind === "open";
      return marketAt(sessions, at).kind === "open";
    },
    closeDue: createCloseDue((contract, at) => {
      const sessions = hours(contract);
      const state = sessions.at(at);
      if (state.kind === "open") return state.session.closesAt;
      const next = sessions.at(state.until);
      return next.kind === "open" ? next.session.closesAt : state.until;
    }),
  };
}

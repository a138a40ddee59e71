import type { DecisionKind } from "../domain/guards/verdict.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { GuardObserver } from "../trading/guards/guard-observer.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

const MS_PER_SECOND = 1_000;

interface GuardObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly changes: Pick<ChangeFeed, "publish">;
}

/** Writes what guards do into the log and the metrics, and has the overview read again. */
export function createGuardObserver({ log, metrics, changes }: GuardObserverDeps): GuardObserver {
  return {
    decided: (accountId, { what, ruleId, reason }) => {
      metrics.guardDecided(what);
      changes.publish({ accountId }, "overview");
      const [level, message] = SAID[what];
      log[level](message, { accountId, kind: what, ruleId, reason });
    },
    judged: (_, ms) => metrics.guardJudgedSeconds(ms / MS_PER_SECOND),
    flattened: (accountId, ms) => {
      metrics.guardFlattenedSeconds(ms / MS_PER_SECOND);
      log.info("An account that a guard closes is flat and empty", { accountId, delayMs: ms });
    },
    figuresFrom: metrics.guardFiguresFrom,
  };
}

type Said = readonly [level: "debug" | "info" | "warn", message: string];

const SAID: Readonly<Record<DecisionKind, Said>> = {
  warned: ["info", "An account is near to a limit"],
  entriesOff: ["warn", "A guard refuses entries"],
  locked: ["warn", "An account was locked"],
  unlocked: ["info", "An account was unlocked"],
  flattened: ["warn", "A guard closes an account"],
  cancelled: ["info", "A guard cancels what rests"],
  isFlat: ["info", "A guard has closed an account"],
  blind: ["warn", "Guards cannot see what an account is worth"],
  sees: ["info", "Guards see again what an account is worth"],
  refused: ["info", "A guard refused an entry"],
  dayBegan: ["debug", "A trading day began for an account's guards"],
  changed: ["info", "The guards of an account were changed"],
  wouldLock: ["info", "A guard in shadow mode would have locked an account"],
  wouldRefuse: ["info", "A guard in shadow mode would have refused an entry"],
  wouldFlatten: ["info", "A guard in shadow mode would have closed an account"],
};

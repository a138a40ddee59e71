import type { EntityStore } from "./entity-store.ts";
import { hasEnded } from "./order-status.ts";
import { parseInstant } from "./parse.ts";
import type { TradovateExecutionReport, TradovateOrderVersion } from "./wire.ts";

const IN_FORCE: ReadonlySet<string> = new Set([
  "OnHold",
  "ExecutionSuspended",
  "ExecutionStopped",
  "Replaced",
]);

/**
 * The newest version that the broker has put into force. A change makes its version before it is
 * checked, and a refused change leaves it behind, so a version counts once its command has gone
 * through: `orderVersion.id == command.id`. Undefined where that one was not told.
 */
export function versionInForce(store: EntityStore, id: number): TradovateOrderVersion | undefined {
  const { ordStatus = "" } = store.get("order", id) ?? {};
  // What it was changed to is on its way, or still to be asked for.
  if (!hasEnded(ordStatus) && lacksVersion(store, id)) return undefined;
  return store.of("orderVersion", id).findLast((version) => isInForce(store, version, id));
}

function isInForce(store: EntityStore, version: TradovateOrderVersion, order: number): boolean {
  if (version.id === order) return true;
  const status = store.get("command", version.id)?.commandStatus;
  // The exchange's own word counts, by whatever word the command goes.
  if (isReplaced(store, version.id) || (status !== undefined && IN_FORCE.has(status))) return true;
  const wasSent = status === undefined || status === "AtExecution";
  return wasSent && version.id <= store.horizon;
}

/** Whether the exchange has confirmed a change of which the broker did not say what it is. */
export function lacksVersion(store: EntityStore, id: number): boolean {
  return reportsOn(store, id).some(
    ({ execType, orderId: of, commandId }) =>
      execType === "Replaced" && of === id && store.get("orderVersion", commandId) === undefined,
  );
}

/** Whether the exchange has confirmed a change. */
export function isReplaced(store: EntityStore, command: number): boolean {
  return store.of("executionReport", command).some(({ execType }) => execType === "Replaced");
}

/** When an order was last spoken of besides its fills; 0 for never. */
export function lastReportAt(store: EntityStore, id: number): number {
  return Math.max(0, ...reportsOn(store, id).map(({ timestamp }) => parseInstant(timestamp)));
}

/** What the exchange said of an order, by whichever of its commands. */
export function reportsOn(store: EntityStore, id: number): readonly TradovateExecutionReport[] {
  // Of the command that placed it the number is the order's own, also where the command is gone.
  const commands = new Set([id, ...store.of("command", id).map((command) => command.id)]);
  const reports = [...commands].flatMap((command) => store.of("executionReport", command));
  return reports.sort((a, b) => a.id - b.id);
}

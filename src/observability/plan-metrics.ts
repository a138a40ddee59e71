import type { Registry } from "prom-client";
import type { PlanAlarm } from "../trading/alarms/plan-alarms.ts";
import { readOnScrape } from "./register-metric.ts";

/** Exit plans that cannot go on, as this process has raised them: read on scrape. */
export function registerPlanAlarms(registry: Registry, alarms: () => readonly PlanAlarm[]): void {
  const held = (what: PlanAlarm["what"]) => () =>
    alarms().filter((alarm) => alarm.what === what).length;
  readOnScrape(registry, held("blind"), {
    name: "gateway_exit_plans_blind",
    help: "Held contracts whose exit plan needs prices and hears none: its stop stays where it is",
  });
  readOnScrape(registry, held("stuck"), {
    name: "gateway_exit_plans_stuck",
    help: "Held contracts whose exit plan is refused what it is to do, again and again",
  });
}

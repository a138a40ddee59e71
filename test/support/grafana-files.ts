import { readdirSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { ROOT, textOf } from "./source-tree.ts";

export interface DashboardPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string; readonly min?: number } };
  readonly targets?: readonly {
    readonly expr: string;
    readonly datasource: { readonly uid: string };
  }[];
}

export interface DashboardVariable {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly query: unknown;
  readonly datasource?: { readonly uid: string };
  readonly multi?: boolean;
  readonly allValue?: string;
}

export interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
  readonly templating: { readonly list: readonly DashboardVariable[] };
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<"summary" | "description" | "runbook_url", string>>;
}

/** A figure that alarms read, under a name of its own. */
interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export const DASHBOARDS: readonly DashboardFile[] = readdirSync(
  path.join(ROOT, "grafana/dashboards"),
).map((name) => JSON.parse(textOf(`grafana/dashboards/${name}`) ?? "") as DashboardFile);

/** Every query of every panel, and where it stands. */
export const PANEL_QUERIES = DASHBOARDS.flatMap(({ title: dashboard, panels }) =>
  panels.flatMap(({ title: panel, targets = [] }) =>
    targets.map(({ expr }) => ({ dashboard, panel, expr })),
  ),
);

/** Every rule that Prometheus evaluates, in the order of its file. */
export const RULES = (
  parse(textOf("grafana/prometheus/rules/gateway.yml") ?? "") as {
    groups: readonly { rules: readonly (AlertRule | RecordingRule)[] }[];
  }
).groups.flatMap(({ rules }) => rules);

export const ALERT_RULES = RULES.filter((rule) => "alert" in rule);

/** What Grafana makes of a panel's query when everything is chosen. */
export function withEverything(expr: string): string {
  return expr
    .replaceAll("$__rate_interval", "10s")
    .replaceAll("$__range", "1m")
    .replaceAll(/\$(job|instance)\b/g, ".+");
}

/** The metrics that a query names, a histogram by its own name. */
export function metricsIn(expr: string): readonly string[] {
  const names = expr.match(/\b(gateway|nodejs|process)_[a-z0-9_]+(?=[{[)> ]|$)|\bup\b/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ""));
}

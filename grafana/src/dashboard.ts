import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
  VariableSort,
} from "@grafana/grafana-foundation-sdk/dashboard";
import type { Panel } from "./panels.ts";

/** Panels that belong together, under a line with their name. */
export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

interface DashboardOptions {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly sections: readonly Section[];
}

const TAG = "gateway";

/** A dashboard with the variables and links that all of them share. */
export function dashboard({ uid, title, description, sections }: DashboardOptions): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags([TAG])
    .timezone("browser")
    .refresh("10s")
    .time({ from: "now-1h", to: "now" })
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .link(
      new DashboardLinkBuilder("Gateway")
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .keepTime(true)
        .includeVars(true),
    )
    .withVariable(
      new DatasourceVariableBuilder("datasource").label("Data source").type("prometheus"),
    )
    .withVariable(labelVariable("job", "Job", "label_values(gateway_build_info, job)"))
    .withVariable(
      labelVariable(
        "instance",
        "Instance",
        'label_values(gateway_build_info{job=~"$job"}, instance)',
      ),
    );
  let id = 0;
  for (const { title: row, panels } of sections) {
    builder.withRow(new RowBuilder(row).id((id += 1)));
    for (const panel of panels) builder.withPanel(panel.id((id += 1)));
  }
  return builder.build();
}

function labelVariable(name: string, label: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource({ type: "prometheus", uid: "${datasource}" })
    .query({ query, refId: "PrometheusVariableQueryEditor-VariableQuery" })
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allValue(".+")
    .current({ text: "All", value: "$__all" });
}

import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { dashboardFiles } from "../../../grafana/src/dashboards.ts";
import { runbookPage } from "../../../grafana/src/runbook.ts";
import { DECISIONS } from "../../../src/domain/strategies/strategy-decision.ts";
import { DECISION_KINDS } from "../../../src/observability/strategy-metrics.ts";
import { TRIGGERS, UNDECIDED } from "../../../src/trading/strategies/ports.ts";
import {
  ALERT_RULES,
  type DashboardFile,
  type DashboardPanel,
  DASHBOARDS,
  PANEL_QUERIES,
} from "../../support/grafana-files.ts";
import { ROOT, textOf } from "../../support/source-tree.ts";

// The rules of Grafana's dashboard-linter, by their names, and a few of our own.

const panelsOf = ({ panels }: DashboardFile) => panels.filter(({ type }) => type !== "row");

/** Panels of all dashboards that break a rule, by their titles. */
const breaking = (isRight: (panel: DashboardPanel) => boolean) =>
  DASHBOARDS.flatMap((dashboard) =>
    panelsOf(dashboard)
      .filter((panel) => !isRight(panel))
      .map(({ title }) => `${dashboard.title}: ${title}`),
  );

test("what is generated equals what is committed: run npm run dashboards", () => {
  const files = dashboardFiles();
  expect(readdirSync(path.join(ROOT, "grafana/dashboards")).toSorted()).toEqual(
    [...files.keys()].toSorted(),
  );
  for (const [name, text] of files) expect(textOf(`grafana/dashboards/${name}`)).toBe(text);
  expect(RUNBOOK).toBe(runbookPage(textOf("grafana/README.md") ?? ""));
});

test("there are seven dashboards, each with panels", () => {
  expect(DASHBOARDS).toHaveLength(7);
  for (const dashboard of DASHBOARDS) expect(panelsOf(dashboard).length).toBeGreaterThan(5);
});

describe.each(DASHBOARDS.map((dashboard) => [dashboard.title, dashboard] as const))(
  "%s",
  (_, dashboard) => {
    const variables = new Map(dashboard.templating.list.map((one) => [one.name, one]));

    test("template-datasource: the data source is chosen above", () => {
      expect(variables.get("datasource")).toMatchObject({
        type: "datasource",
        query: "prometheus",
      });
    });

    test.each([
      ["job", "Job"],
      ["instance", "Instance"],
    ])("template-%s: it is chosen above, several at once, or all", (name, label) => {
      expect(variables.get(name)).toMatchObject({
        type: "query",
        label,
        multi: true,
        allValue: ".+",
        datasource: { uid: "${datasource}" },
      });
    });

    test("ids are unique, and no panel covers another", () => {
      const ids = dashboard.panels.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (__, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThan(25);
    });
  },
);

test("every dashboard has a uid of its own", () => {
  expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).toBe(DASHBOARDS.length);
});

describe("every panel", () => {
  test("panel-datasource: reads from the data source that is chosen, and its queries too", () => {
    const uids = ({ datasource, targets = [] }: DashboardPanel) => [
      datasource?.uid,
      ...targets.map((target) => target.datasource.uid),
    ];
    expect(breaking((panel) => uids(panel).every((uid) => uid === "${datasource}"))).toEqual([]);
  });

  test("panel-title-description, panel-units: says what it shows, and in which unit", () => {
    expect(
      breaking(
        ({ title, description = "", fieldConfig }) =>
          title !== "" && description !== "" && (fieldConfig?.defaults.unit ?? "") !== "",
      ),
    ).toEqual([]);
  });

  test("has queries", () => {
    expect(breaking(({ targets = [] }) => targets.length > 0)).toEqual([]);
  });
});

describe("every query", () => {
  test.each([
    ["target-job", /\{(?![^}]*job=~"\$job")/],
    ["target-instance", /\{(?![^}]*instance=~"\$instance")/],
    [
      "target-rate-interval",
      /\b(rate|irate|increase)\((?!\w+\{[^}]*\}\[\$__(rate_interval|range)\])/,
    ],
    ["target-counter-rate", /(?<!(rate|increase)\()\bgateway_\w+_total\b/],
  ])("keeps %s", (_, wrong) => {
    expect(PANEL_QUERIES.filter(({ expr }) => wrong.test(expr))).toEqual([]);
  });
});

test.each([
  ["followers", "gateway_cop"],
  ["strategies", "gateway_strategy_"],
])("what each process shows of its own %s is added up", (_, prefix) => {
  const exprs = [...PANEL_QUERIES, ...ALERT_RULES].map(({ expr }) => expr);
  const own = exprs.filter((expr) => expr.includes(prefix));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((expr) => !/\bsum\b/.test(expr))).toEqual([]);
});

test("what dashboards and alarms ask of strategies are labels and verdicts that there are", () => {
  const labels: Readonly<Record<string, readonly string[]>> = {
    trigger: TRIGGERS,
    verdict: [...DECISIONS, ...UNDECIDED],
    decision: DECISION_KINDS,
  };
  const asked = [...PANEL_QUERIES, ...ALERT_RULES].flatMap(({ expr }) => [
    ...expr.matchAll(/gateway_strategy_\w+\{([^}]*)\}/g),
  ]);
  const conditions = asked.flatMap(([, inside = ""]) =>
    [...inside.matchAll(/(\w+)=~?"([^"$]*)"/g)].map(([, label = "", words = ""]) => ({
      label,
      unknown: words.split("|").filter((word) => !labels[label]?.includes(word)),
    })),
  );
  expect(conditions.length).toBeGreaterThan(4);
  expect(conditions.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
});

test("every verdict of an evaluation is either acting, holding or undecided on the dashboard", () => {
  const shown = new Set(
    PANEL_QUERIES.filter(
      ({ dashboard, panel }) =>
        dashboard === "Gateway: strategies" && panel.endsWith(", per minute"),
    ).flatMap(({ expr }) => /verdict=~"([^"]*)"/.exec(expr)?.[1]?.split("|") ?? []),
  );
  expect(shown).toEqual(new Set([...DECISIONS, ...UNDECIDED].filter((one) => one !== "hold")));
});

test("a line of numbers that may be negative is not cut off at 0", () => {
  const floorOf = (title: string) =>
    DASHBOARDS.flatMap(({ panels }) => panels).find((panel) => panel.title === title)?.fieldConfig
      ?.defaults.min;
  expect(floorOf("Slippage in ticks")).toBeUndefined();
  expect(floorOf("From the leader's fill to sent")).toBe(0);
});

const RUNBOOK = textOf("grafana/prometheus/consoles/runbook.html") ?? "";

describe("every alarm", () => {
  const sections = (textOf("grafana/README.md") ?? "")
    .split("\n")
    .filter((line) => line.startsWith("## "))
    .map((line) => line.slice(3).toLowerCase().replaceAll(" ", "-"));

  test.each(ALERT_RULES.map((rule) => [rule.alert, rule] as const))(
    "%s says what it is and leads to its section of the runbook",
    (_, { annotations, labels }) => {
      expect(["page", "ticket"]).toContain(labels.severity);
      expect(annotations.summary).not.toBe("");
      expect(annotations.description).not.toBe("");
      const [page, section] = annotations.runbook_url.split("#");
      expect(page).toBe(
        '{{ or $externalLabels.runbook (print $externalURL "/consoles/runbook.html") }}',
      );
      expect(sections).toContain(section);
      expect(RUNBOOK).toContain(`<h2 id="${section}">`);
    },
  );

  test("has a section of its own, and no section is left over", () => {
    const linked = ALERT_RULES.map(({ annotations }) => annotations.runbook_url.split("#")[1]);
    expect(new Set(linked).size).toBe(linked.length);
    expect(new Set(linked)).toEqual(new Set(sections));
  });
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  ALERT_PROFILES,
  type AlertProfile,
} from "../../../../src/domain/declared/webhook-options.ts";
import { ALERT_TEMPLATES } from "../../../../src/http/alerts/alert-templates.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";

/** As a charting platform fills in a strategy that goes long one contract from flat. */
const FILLED: Readonly<Record<string, string>> = {
  "{{ticker}}": "MNQ1!",
  "{{close}}": "25000.25",
  "{{timenow}}": "2026-09-21T14:30:00Z",
  "{{strategy.order.action}}": "buy",
  "{{strategy.order.contracts}}": "1",
  "{{strategy.order.id}}": "Long",
  "{{strategy.market_position}}": "long",
  "{{strategy.market_position_size}}": "1",
  "{{strategy.prev_market_position}}": "flat",
  "{{strategy.prev_market_position_size}}": "0",
};

const fillIn = (profile: AlertProfile, other: Readonly<Record<string, string>> = {}) =>
  ALERT_TEMPLATES[profile].replaceAll(
    /\{\{[^}]+\}\}/g,
    (name) => other[name] ?? FILLED[name] ?? name,
  );

test.each(ALERT_PROFILES)(
  "the template of %s is read once it is filled in, with its id",
  (profile) => {
    const { alerts } = readAlerts(fillIn(profile), { profile });
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({
      senderAlertId: "Long 2026-09-21T14:30:00Z long 1",
    });
    expect(JSON.stringify(alerts[0]?.request)).toContain("MNQ1!");
  },
);

const idOf = (profile: AlertProfile, filled: Readonly<Record<string, string>>) =>
  readAlerts(fillIn(profile, filled), { profile }).alerts[0]?.senderAlertId;

test.each(ALERT_PROFILES)("two fills of one bar have two ids by the template of %s", (profile) => {
  const exit = { "{{strategy.order.action}}": "sell", "{{strategy.order.id}}": "TP" };
  const first = { ...exit, "{{strategy.market_position_size}}": "2" };
  const second = { ...exit, "{{strategy.market_position_size}}": "1" };
  expect(idOf(profile, second)).not.toBe(idOf(profile, first));
});

test.each(ALERT_PROFILES)("the template of %s says when it fired", (profile) => {
  const fired = { "{{timenow}}": "2026-09-21T14:30:07Z" };
  const [alert] = readAlerts(fillIn(profile, fired), { profile }).alerts;
  expect(alert?.firedAt).toBe(Date.parse("2026-09-21T14:30:07Z"));
});

test("the page about alerts prints the template of our own words", () => {
  const template = JSON.stringify(JSON.parse(ALERT_TEMPLATES.native), undefined, 1);
  const printed = template.replaceAll(/\n\s*/g, " ").replace("{ ", "{").replace(" }", "}");
  expect(readFileSync("docs/alerts.md", "utf8")).toContain(printed);
});

test.each(ALERT_PROFILES)("the template of %s is refused as it stands", (profile) => {
  expect(() => readAlerts(ALERT_TEMPLATES[profile], { profile })).toThrow(/was not filled in/);
});

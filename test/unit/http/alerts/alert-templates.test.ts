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
};

const fillIn = (profile: AlertProfile) =>
  ALERT_TEMPLATES[profile].replaceAll(/\{\{[^}]+\}\}/g, (name) => FILLED[name] ?? name);

test.each(ALERT_PROFILES)(
  "the template of %s is read once it is filled in, with its id",
  (profile) => {
    const { alerts } = readAlerts(fillIn(profile), { profile });
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ senderAlertId: "Long 2026-09-21T14:30:00Z" });
    expect(JSON.stringify(alerts[0]?.request)).toContain("MNQ1!");
  },
);

test.each(ALERT_PROFILES)("the template of %s is refused as it stands", (profile) => {
  expect(() => readAlerts(ALERT_TEMPLATES[profile], { profile })).toThrow(/was not filled in/);
});

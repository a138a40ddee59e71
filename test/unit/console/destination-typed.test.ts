import { describe, expect, test } from "vitest";
import {
  changeOf,
  creationOf,
  typedOf,
} from "../../../src/console/pages/notifications/destination-typed.ts";
import type { Destination } from "../../../src/console/pages/notifications/types.ts";

const ZONE = "Europe/Berlin";

const stored: Destination = {
  id: "ds_1",
  kind: "email",
  name: "Mail",
  settings: { host: "smtp.example", port: 587, password: true, from: "a@b.c", to: "d@e.f" },
  rules: [{ severity: "critical", tell: "on" }],
  quietHours: { from: "22:30", to: "07:00", zone: "America/Chicago" },
  summary: null,
  inOrder: false,
  answers: false,
  linked: null,
  createdAt: "2026-09-21T14:30:00.000Z",
  disabled: null,
  state: {
    waiting: 0,
    undelivered: 0,
    deliveredAt: null,
    failures: 0,
    failure: null,
    pausedUntil: null,
  },
};

describe("a new destination", () => {
  test("leaves out what is not typed", () => {
    const typed = {
      ...typedOf(undefined, ZONE),
      name: " Phone ",
      settings: { topic: "x", url: "y" },
    };
    expect(creationOf(typed)).toEqual({
      kind: "ntfy",
      name: "Phone",
      settings: { topic: "x" },
      rules: [],
    });
  });

  test("says one zone of both times, and of a rule what was chosen", () => {
    const typed = {
      ...typedOf(undefined, ZONE),
      kind: "email" as const,
      settings: { port: "587" },
      rules: [{ types: [], accounts: ["paper-1"], tell: "off" as const }],
      quietFrom: "22:30",
      quietTo: "07:00",
      summaryAt: "16:05",
      answers: true,
    };
    expect(creationOf(typed)).toMatchObject({
      settings: { port: 587 },
      rules: [{ accounts: ["paper-1"], tell: "off" }],
      quietHours: { from: "22:30", to: "07:00", zone: ZONE },
      summary: { at: "16:05", zone: ZONE },
    });
    expect(creationOf(typed)).not.toHaveProperty("answers");
  });
});

describe("a change", () => {
  const typed = typedOf(stored, ZONE);

  test("is nothing where nothing was typed", () => {
    expect(changeOf(typed, stored)).toEqual({});
    expect(typed.settings).not.toHaveProperty("password");
  });

  test.each([
    [{ name: "Post" }, { name: "Post" }],
    [{ quietFrom: "", quietTo: "" }, { quietHours: null }],
    [{ summaryAt: "16:05" }, { summary: { at: "16:05", zone: "America/Chicago" } }],
    [{ rules: [] }, { rules: [] }],
    [
      { settings: { ...typed.settings, password: "new", port: "25" } },
      { settings: { password: "new", port: 25 } },
    ],
    [{ settings: { ...typed.settings, to: "" } }, { settings: { to: null } }],
  ])("of %j is %j", (change, body) => {
    expect(changeOf({ ...typed, ...change }, stored)).toEqual(body);
  });
});

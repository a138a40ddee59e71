import { exampleBody } from "./event-examples.ts";

/** Destinations as the API document shows them. */

const TIME = "2026-09-21T14:30:00.000Z";

export const DESTINATION_BODIES = {
  phone: {
    kind: "ntfy",
    name: "Phone",
    settings: { server: "https://ntfy.sh", topic: "a-long-name-nobody-guesses" },
    rules: [
      { types: ["order.filled"], environment: "demo", tell: "off" },
      { severity: "warning", tell: "on" },
    ],
    quietHours: { from: "22:30", to: "07:00", zone: "America/Chicago" },
  },
  desk: {
    kind: "discord",
    name: "Desk",
    settings: { url: "https://discord.com/api/webhooks/<id>/<token>" },
    summary: { at: "17:05", zone: "America/Chicago" },
  },
  telegram: {
    kind: "telegram",
    name: "Me",
    settings: { botToken: "123456:as-BotFather-gave-it" },
    answers: true,
  },
  program: {
    kind: "webhook",
    name: "Journal",
    settings: { url: "https://journal.example/events" },
    inOrder: true,
  },
};

export const DESTINATION_CHANGES = {
  switchOn: { enabled: true },
  onlyCritical: { rules: [{ severity: "critical", tell: "on" }, { tell: "off" }] },
  noQuietHours: { quietHours: null },
};

export const DESTINATION = {
  id: "ds_8Kd1pQ4v0Zxa",
  kind: "webhook",
  name: "Journal",
  settings: { url: "https://journal.example/events" },
  rules: [],
  quietHours: null,
  summary: null,
  inOrder: true,
  answers: false,
  linked: null,
  createdAt: TIME,
  disabled: null,
  state: {
    waiting: 1,
    undelivered: 0,
    deliveredAt: TIME,
    failures: 1,
    failure: { at: TIME, reason: "It answered 503", status: 503 },
    pausedUntil: "2026-09-21T14:35:00.000Z",
  },
};

export const CREATED_DESTINATION = { ...DESTINATION, secret: "whsec_<base64>" };

export const UNDELIVERED = {
  undelivered: [
    {
      event: exampleBody("order.filled"),
      attempts: 10,
      reason: "It answered 503",
      status: 503,
      givenUpAt: TIME,
    },
  ],
  nextCursor: null,
};

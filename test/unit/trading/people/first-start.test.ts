import { expect, test } from "vitest";
import { setUpLink } from "../../../../src/trading/people/first-start.ts";

test.each([
  ["https://alerts.example.com", "https://alerts.example.com/console/#/set-up/gwu_x"],
  ["https://alerts.example.com/", "https://alerts.example.com/console/#/set-up/gwu_x"],
  // Passkeys are for names alone.
  ["http://127.0.0.1:8080", "http://localhost:8080/console/#/set-up/gwu_x"],
  ["http://[::1]:8080", "http://localhost:8080/console/#/set-up/gwu_x"],
  ["http://192.0.2.7:8080", "http://192.0.2.7:8080/console/#/set-up/gwu_x"],
])("at %s the set-up link is %s", (url, link) => {
  expect(setUpLink(url, "gwu_x")).toBe(link);
});

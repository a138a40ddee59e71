import { expect, test } from "vitest";
import { whyUnreachable } from "../../../src/domain/reachable.ts";

test.each([
  "http://127.0.0.1:8080",
  "https://localhost",
  "https://10.1.2.3",
  "https://172.20.0.5",
  "https://192.168.1.10",
  "https://100.100.1.1",
  "http://[::1]:8080",
  "http://[fd00::1]",
  "https://gateway",
  "https://gateway.local",
])("%s cannot be reached from outside", (url) => {
  expect(whyUnreachable(url)).toMatch(/^Charting platforms cannot reach .*set PUBLIC_URL/);
});

test.each(["http://alerts.example.com", "http://203.0.113.7:8080"])(
  "%s is not encrypted",
  (url) => {
    expect(whyUnreachable(url)).toMatch(/is not encrypted.*set PUBLIC_URL/);
  },
);

test.each(["https://alerts.example.com", "https://172.217.0.1", "https://100.20.1.1"])(
  "%s can be reached",
  (url) => {
    expect(whyUnreachable(url)).toBeUndefined();
  },
);

import { expect, test } from "vitest";
import { startApp } from "./http-kit.ts";

test.each([
  ["application/openmetrics-text", true],
  ["application/openmetrics-text; version=1.0.0; q=0.5, text/plain; version=0.0.4; q=0.3", true],
  ["text/plain;q=0.5, Application/OpenMetrics-Text;version=0.0.1;q=0.05", true],
  ["text/plain, application/openmetrics-text;q=0", false],
  ["application/openmetrics-text; version=1.0.0; q=0.000, */*", false],
  ["application/openmetrics-text-2", false],
  ["text/plain", false],
  ["*/*", false],
  [undefined, false],
])("metrics for who accepts %s are in OpenMetrics: %s", async (accept, isOpen) => {
  const app = await startApp({ metrics: async (format) => `# ${format ?? "plain"}\n` });
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const { text, headers: answered } = await app.request("GET", "/metrics", { headers });
  expect(text).toBe(isOpen ? "# openMetrics\n" : "# plain\n");
  expect(answered.get("content-type")).toContain(isOpen ? "openmetrics-text" : "text/plain");
});

// Goal: the link of each alarm opens its section on the gateway. Method: a whole gateway is asked over
// HTTP, without a key, for what each rule links to.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { ALERT_RULES } from "../support/grafana-files.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test.each(ALERT_RULES.map(({ alert, annotations }) => [alert, annotations.runbook_url]))(
  "%s",
  async (_, link) => {
    const section = link.split("#")[1] ?? "";
    const opened = await fetch(`${gateway.url}/runbook#${section}`);
    expect(opened.status).toBe(200);
    expect(await opened.text()).toContain(`<h2 id="${section}">`);
  },
);

test("a process that takes no calls has it on its own port too", async () => {
  await gateway.restart({ OPERATIONS_PORT: "0" });
  const [, address] = /"address":"(http:[^"]+)","msg":"Health/.exec(gateway.log.join("\n")) ?? [];
  const opened = await fetch(`${address}/runbook`);
  expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining("</h2>")]);
});

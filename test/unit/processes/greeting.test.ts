import { describe, expect, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { type Greeting, welcome } from "../../../src/processes/greeting.ts";

describe("what a start prints", () => {
  const greeting: Greeting = {
    url: "http://127.0.0.1:8080",
    first: { accountId: accountId("paper-1"), webhookSecret: "gwh_y", keySecret: "gwk_z" },
    setUpLink: "http://localhost:8080/console/#/set-up/gwu_x",
  };

  test("the first one has the link, the webhook and the key", () => {
    const text = welcome(greeting);
    for (const secret of ["/set-up/gwu_x", "/hooks/gwh_y", "gwk_z"]) expect(text).toContain(secret);
    expect(text).toMatch(/Charting platforms cannot reach .*set PUBLIC_URL/);
    expect(welcome({ ...greeting, url: "https://alerts.example.com" })).not.toContain("PUBLIC_URL");
  });

  test("as long as nobody can sign in, a later one has the link and nothing else secret", () => {
    const text = welcome({ ...greeting, first: undefined });
    expect(text).toContain("/set-up/gwu_x");
    expect(text).not.toMatch(/gw[hk]_/);
  });

  test("after that, no start prints a secret", () => {
    const text = welcome({ ...greeting, first: undefined, setUpLink: undefined });
    expect(text).toContain("http://127.0.0.1:8080/console/");
    expect(text).not.toMatch(/gw[hkus]_/);
  });
});

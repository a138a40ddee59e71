// The goal: whoever has just started a gateway is led in, and strangers see nothing.
// The method: an appliance that nobody has set up yet, and browsers that were never there.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { ConsoleSite, OWNER, untilFocused } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open({ isNew: true });
});
afterAll(async () => await site.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const password = (page: Page) => page.getByLabel("Password", { exact: true });
const save = async (page: Page) =>
  await page.getByRole("button", { name: "Save and sign in" }).click();

/** What stands behind the `#` of a link. */
const placeOf = (link: string) => new URL(link).hash.slice(1);

describe("the link that is printed", () => {
  test("leads to choosing a password, once, and then in", async () => {
    const link = site.gateway.setUpLink;
    expect(link.startsWith(`${site.url}/console/#/set-up/`)).toBe(true);
    const page = await site.openAsStranger(placeOf(link));
    await heading(page, "Set up your sign-in").waitFor();
    await page.getByText("Nobody has signed in here yet").waitFor();
    await page.getByLabel("Name").fill(OWNER.name);
    await password(page).fill(OWNER.password);
    await save(page);
    await heading(page, "Overview").waitFor();
    // Whoever goes back, or looks over a shoulder, does not find it.
    expect(page.url()).toBe(`${site.url}/console/#/`);
    const before = await page.goBack();
    expect(before?.url() ?? page.url()).not.toContain("gwu_");

    const other = await site.openAsStranger(placeOf(link));
    await heading(other, "This link no longer works").waitFor();
    await other.getByText("npm run gateway -- users link").waitFor();
    await other.getByRole("link", { name: "Go to the sign-in" }).click();
    await heading(other, "Sign in").waitFor();
  });

  // Each rule of a password is tested in `unit/console/sign-in-rules`.
  test("a password is refused beside its field, and another one is taken", async () => {
    const [name, typed] = ["same.as.its.name", "Same.As.Its.Name"];
    const page = await site.openAsStranger(placeOf(await site.invite("somebody")));
    await page.getByLabel("Name").fill(name);
    await password(page).fill(typed);
    await save(page);
    await page.getByText("Must not be the name", { exact: true }).waitFor();
    await untilFocused(page, password(page));
    expect(await password(page).getAttribute("aria-invalid")).toBe("true");

    await password(page).fill("several words are good");
    await save(page);
    await heading(page, "Overview").waitFor();
  });

  test("a name that another has is refused, and another can be chosen", async () => {
    await site.addPerson("taken");
    const page = await site.openAsStranger(placeOf(await site.invite("latecomer")));
    await page.getByLabel("Name").fill("Taken");
    await password(page).fill("several words are good");
    await save(page);
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Name").fill("latecomer");
    await save(page);
    await heading(page, "Overview").waitFor();
    await page.getByRole("link", { name: "latecomer" }).waitFor();
  });

  test("is for everybody, in every look", async () => {
    const page = await site.openAsStranger(placeOf(await site.invite("reader")));
    await page.getByLabel("Name").fill("r");
    await password(page).fill("short");
    await save(page);
    await page.getByText("7 more characters").waitFor();
    await expectFit(page);
    await page.goto("/console/#/set-up/gwu_nothing");
    await heading(page, "This link no longer works").waitFor();
    await expectFit(page);
  });
});

describe("without a session", () => {
  test("every place shows the sign-in, and nothing else is asked for", async () => {
    const page = await site.openBlank();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const places = ["", "alerts", "alerts/alert_1", "accounts", "webhooks", "keys", "you", "none"];
    for (const place of places) {
      // Another query makes it another load.
      await page.goto(`/console/?${encodeURIComponent(place)}#/${place}`);
      await heading(page, "Sign in").waitFor();
      const questions = asked.splice(0).filter((path) => path.startsWith("/v1/"));
      expect([place, ...questions]).toEqual([place, "/v1/session"]);
    }
  });

  test("the gateway's own address leads to the console", async () => {
    const page = await site.openBlank();
    await page.goto("/");
    await heading(page, "Sign in").waitFor();
    expect(page.url()).toContain(`${site.url}/console/`);
  });
});

import type { Locator, Page, Route } from "playwright-core";
import { onTestFinished } from "vitest";
import { setUpLink } from "../../src/trading/people/first-start.ts";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import { openVisitor, visit, type Visitor } from "../support/browser.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { type GatewayOptions, startGateway, type TestGateway } from "../support/gateway.ts";
import { waitUntil } from "../support/wait.ts";

/** A console asks no more than 150 questions at once: a window that asked more would keep tests waiting. */
const MOST_USES = 6;

/** What somebody signs in with. */
export interface Person {
  readonly name: string;
  readonly password: string;
}

/** Whose the paper accounts are. */
export const OWNER: Person = { name: "owner", password: "correct horse battery" };

/** A gateway, and a browser in which people open its console. */
export class ConsoleSite {
  readonly gateway: TestGateway;
  #owner: Promise<Browser> | undefined;
  /** Browsers that strangers left, without cookies: what they fetched and compiled is there. */
  readonly #strangers: Browser[] = [];
  #isOwnerSignedIn = false;
  /** The owner's window that the last test left, for the next one. */
  #left: Page | undefined;
  readonly #uses = new WeakMap<Page, number>();

  private constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  /** `OWNER` can sign in, unless nobody has set that up yet. */
  static async open(options: GatewayOptions & { isNew?: boolean } = {}): Promise<ConsoleSite> {
    const gateway = await startGateway(options);
    const site = new ConsoleSite(gateway);
    if (options.isNew === true) return site;
    try {
      await site.#setUp(gateway.setUpLink, OWNER);
    } catch (error) {
      await site.close();
      throw error;
    }
    return site;
  }

  async close(): Promise<void> {
    await (await this.#owner)?.visitor.close();
    for (const { visitor } of this.#strangers) await visitor.close();
    await this.gateway.stop();
  }

  /** By name, as a person types it: passkeys are for names alone. */
  get url(): string {
    return byName(this.gateway.url);
  }

  /**
   * Opens a window without a session, and nothing in it. When the test is over, it fails with
   * whatever was done there that no page of the console may do.
   */
  async openBlank(): Promise<Page> {
    const browser = this.#strangers.pop() ?? (await openBrowser(this.url));
    const { visitor, stays } = browser;
    const page = await visitor.open();
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") {
        await visitor.close();
      } else {
        const context = page.context();
        await Promise.all(context.pages().map(async (one) => one === stays || (await one.close())));
        await context.clearCookies();
        this.#strangers.push(browser);
      }
      visitor.expectNoTrespass();
    });
    return page;
  }

  /** The same in a browser that was never there, and that no later test gets. */
  async openNew(): Promise<Page> {
    const { page, expectNoTrespass, close } = await visit(this.url);
    onTestFinished(async () => {
      await close();
      expectNoTrespass();
    });
    return page;
  }

  /** The same at a place of the console such as `/alerts`. */
  async openAsStranger(place = "/"): Promise<Page> {
    const page = await this.openBlank();
    await page.goto(`/console/#${place}`);
    return page;
  }

  /** The same, in a session of its own: what the sign-in page does with it has its own tests. */
  async openAs(person: Person, place = "/"): Promise<Page> {
    const page = await this.openBlank();
    await startSession(page, person);
    await page.goto(`/console/#${place}`);
    return page;
  }

  /**
   * As the owner, in the browser and session that all these windows share; none of them may end it.
   * The window is the one that the last test left: loading the console costs more than most tests.
   */
  async open(place = "/"): Promise<Page> {
    const { visitor: owner } = await this.#ownerOf();
    const page = this.#left ?? (await owner.open());
    this.#left = undefined;
    onTestFinished(async ({ task }) => {
      await this.#leave(page, task.result?.state === "fail");
      owner.expectNoTrespass();
    });
    return await this.#goAsOwner(page, place);
  }

  /** The same in a window that has loaded nothing yet, and that no later test gets. */
  async openFresh(place = "/"): Promise<Page> {
    const { visitor: owner } = await this.#ownerOf();
    const page = await owner.open();
    onTestFinished(async () => {
      await page.close();
      owner.expectNoTrespass();
    });
    return await this.#goAsOwner(page, place);
  }

  async #ownerOf(): Promise<Browser> {
    return await (this.#owner ??= openBrowser(this.url));
  }

  async #goAsOwner(page: Page, place: string): Promise<Page> {
    if (!this.#isOwnerSignedIn) await startSession(page, OWNER);
    this.#isOwnerSignedIn = true;
    await page.goto(`/console/#${place}`);
    return page;
  }

  /** Takes the window away from its page, so that nothing of the page is left for the next test. */
  async #leave(page: Page, hasFailed: boolean): Promise<void> {
    const uses = (this.#uses.get(page) ?? 0) + 1;
    this.#uses.set(page, uses);
    if (hasFailed || this.#left !== undefined || uses === MOST_USES) return await page.close();
    page.removeAllListeners("request");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto("/console/#/nowhere");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    this.#left = page;
  }

  /** Somebody else who can sign in, and has nothing yet. */
  async addPerson(name: string): Promise<Person> {
    const person = { name, password: `${name} chose several words` };
    await this.#setUp(await this.invite(name), person);
    return person;
  }

  /** The link by which somebody else chooses a password, as `users add` prints it. */
  async invite(name: string): Promise<string> {
    const people = createRedisPeople(this.gateway);
    const { userId } = await people.addUser(name);
    return setUpLink(this.url, await people.createLink(userId));
  }

  /** As if the person had last proved who they are longer ago than lasting access wants. */
  async ageProof({ name }: Person): Promise<void> {
    this.#isOwnerSignedIn = false;
    const { redis, keys } = this.gateway;
    const users = await createRedisPeople({ redis, keys }).users();
    const { userId } = users.find((user) => user.name === name) ?? {};
    if (userId === undefined) throw new Error(`There is no ${name}`);
    const hashes = await redis.hvals(keys.credentialsOf("session", userId));
    const longAgo = Date.now() - 3_600_000;
    for (const hash of hashes) {
      await redis.hset(keys.credential("session", hash), { confirmedAt: longAgo });
    }
  }

  async #setUp(link: string, { name, password }: Person): Promise<void> {
    const { status } = await new ConsoleClient(this.url).setUp(link, name, password);
    if (status !== 200) throw new Error(`${name} cannot set up a sign-in: ${status}`);
  }
}

/** Types it into the sign-in that is shown. */
export async function signIn(page: Page, { name, password }: Person): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

interface Button {
  readonly click: () => void;
  readonly isConnected: boolean;
}

const clickTwice = (button: Button): void => {
  button.click();
  button.click();
};

/** A button that the page has taken away cannot be clicked. */
const clickIfThere = (button: Button): void => {
  if (button.isConnected) button.click();
};

const QUESTIONS = "**/v1/**";

/**
 * Clicks what sends a change a second time before the page can do anything, and once more while the
 * change is under way. The second click of a real double click meets whatever is there by then: on
 * a slow machine, another page.
 */
export async function doubleClick(target: Locator): Promise<void> {
  // A person could do it: the button is seen, stays where it is, and nothing is in front of it.
  await target.click({ trial: true });
  const page = target.page();
  const button = await target.elementHandle();
  const held: Route[] = [];
  let isHeld = true;
  const hold = async (route: Route) => {
    if (isHeld && route.request().method() !== "GET") held.push(route);
    else await route.fallback();
  };
  await page.route(QUESTIONS, hold);
  await target.evaluate(clickTwice);
  await waitUntil("the change is under way", () => held.length > 0);
  await button?.evaluate(clickIfThere);
  isHeld = false;
  await Promise.all(held.map(async (route) => await route.fallback()));
  await page.unroute(QUESTIONS, hold);
}

/** Whether the keyboard is at it. */
const isFocused = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(":focus")).count()) === 1;

/** A page puts the keyboard in its first field an instant after it shows it. */
export const untilFocused = async (page: Page, target: Locator): Promise<void> =>
  await target.and(page.locator(":focus")).waitFor();

/** More than any page has to be stepped through. */
const MOST_TABS = 80;

/** As somebody without a mouse gets there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await isFocused(page, target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not lead to ${String(target)}`);
}

/** A person's own, and its window that stays. */
interface Browser {
  readonly visitor: Visitor;
  readonly stays: Page;
}

/** Chromium ends a process with its last window: one that stays keeps what it compiled for the next. */
async function openBrowser(url: string): Promise<Browser> {
  const visitor = await openVisitor(url);
  const stays = await visitor.open();
  await stays.goto("/healthz");
  return { visitor, stays };
}

/** The window keeps the cookie that comes back. */
export async function startSession(page: Page, { name, password }: Person): Promise<void> {
  const answer = await page.request.post("/v1/session", {
    data: { name, password },
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (answer.status() !== 200) throw new Error(`${name} cannot sign in: ${answer.status()}`);
}

/** Where passkeys and cookies work as they do at a name over https. */
const byName = (url: string): string => url.replace("127.0.0.1", "localhost");

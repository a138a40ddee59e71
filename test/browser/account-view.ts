import type { Locator, Page } from "playwright-core";
import type { ConsoleSite } from "./console-kit.ts";

/** What is asked of the gateway by a page other than to read, as "PUT /v1/kill-switch". */
export function changesSentBy(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET") sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}

/** Presses Tab until what is said so has the focus. */
export async function tabToText(page: Page, says: string): Promise<void> {
  const focused = page.locator("*:focus");
  for (let steps = 0; steps < 200; steps += 1) {
    await page.keyboard.press("Tab");
    if ((await focused.allTextContents()).join("").trim() === says) return;
  }
  throw new Error(`"${says}" is not reached by Tab`);
}

/** One account of the paper broker, opened in its page as a person does. */
export class AccountView {
  readonly page: Page;
  /** "paper-3". */
  readonly id: string;
  /** "Paper 3". */
  readonly name: string;
  readonly card: Locator;
  readonly dialog: Locator;
  readonly sent: readonly string[];

  private constructor(page: Page, id: string) {
    this.page = page;
    this.id = id;
    this.name = id.replace("paper-", "Paper ");
    this.card = page.getByRole("region", { name: `Account ${this.name}`, exact: true });
    this.dialog = page.getByRole("dialog");
    this.sent = changesSentBy(page);
  }

  static async open(site: ConsoleSite, id: string): Promise<AccountView> {
    const view = new AccountView(await site.open("/accounts"), id);
    await view.button(view.name).click();
    await view.card.getByRole("heading", { name: "Limits" }).waitFor();
    return view;
  }

  /** A button of the account, by the beginning of what it says. */
  button(says: string): Locator {
    return this.card.getByRole("button", { name: new RegExp(`^${says}`) });
  }

  /** Presses a button of the account, and waits for the dialog that it asks with. */
  async ask(says: string): Promise<Locator> {
    await this.button(says).click();
    await this.dialog.waitFor();
    return this.dialog;
  }

  /** Presses a button of the dialog, and waits until the dialog is gone. */
  async answer(says: string): Promise<void> {
    await this.dialog.getByRole("button", { name: says }).click();
    await this.dialog.waitFor({ state: "detached" });
  }

  row(says: string | RegExp): Locator {
    return this.card.getByRole("row").filter({ hasText: says });
  }
}

import type { Locator, Page } from "playwright-core";
import { changesSentBy } from "./account-view.ts";
import type { ConsoleSite } from "./console-kit.ts";

/** A copy group of paper accounts as the gateway has it. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** "paper-3". */
  readonly leader: string;
  readonly followers: readonly string[];
}

/** "Paper 3". */
export const nameOf = (account: string): string => account.replace("paper-", "Paper ");

/** One copy group, opened in its page as a person does. */
export class CopyView {
  readonly site: ConsoleSite;
  readonly page: Page;
  readonly group: Group;
  readonly dialog: Locator;
  /** What the page asked of the gateway since it was opened, other than to read. */
  readonly sent: readonly string[];

  private constructor(site: ConsoleSite, page: Page, group: Group) {
    this.site = site;
    this.page = page;
    this.group = group;
    this.dialog = page.getByRole("dialog");
    this.sent = changesSentBy(page);
  }

  static async open(site: ConsoleSite, group: Group): Promise<CopyView> {
    const page = await site.open(`/copying/${group.id}`);
    await page.getByRole("heading", { level: 1, name: group.name }).waitFor();
    return new CopyView(site, page, group);
  }

  get leader(): string {
    return this.group.leader;
  }

  follower(n = 0): string {
    const account = this.group.followers[n];
    if (account === undefined) throw new Error(`There is no follower ${n}`);
    return account;
  }

  /** The group as the gateway has it now. */
  async stored() {
    return (await this.site.gateway.api.get(`/v1/copy-groups/${this.group.id}`)).body;
  }

  region(name: "Leader" | "Followers" | "Copies"): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }

  /** A follower's row, with the figures of its first contract. */
  row(n = 0): Locator {
    const name = new RegExp(`^${nameOf(this.follower(n))}(?!\\d)`);
    const head = this.page.getByRole("rowheader", { name });
    return this.region("Followers").getByRole("row").filter({ has: head });
  }

  /** Lines of the log that say so. */
  copies(says: string): Locator {
    return this.region("Copies").getByRole("row").filter({ hasText: says });
  }

  /** A button of a follower, or without one of the group, by what it says before its dots. */
  button(says: string, n?: number): Locator {
    const place = n === undefined ? this.region("Leader") : this.row(n);
    return place.getByRole("button", { name: new RegExp(`^${says} …`) });
  }

  /** Presses such a button, and waits for the dialog that it asks with. */
  async ask(says: string, n?: number): Promise<Locator> {
    await this.button(says, n).click();
    await this.dialog.waitFor();
    return this.dialog;
  }

  /** Presses a button of the dialog, and waits until the dialog is gone. */
  async answer(says: string): Promise<void> {
    await this.dialog.getByRole("button", { name: says, exact: true }).click();
    await this.dialog.waitFor({ state: "detached" });
  }
}

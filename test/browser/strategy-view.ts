import type { Locator, Page } from "playwright-core";
import type { Bar } from "../../src/domain/strategies/bar.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { changesSentBy } from "./account-view.ts";
import type { ConsoleSite } from "./console-kit.ts";

/** A strategy as the gateway has it. */
export interface Made {
  readonly id: string;
  readonly name: string;
  /** "paper-3". */
  readonly account: string;
}

const MINUTE_MS = 60_000;

/** Bars that go up and down in waves, the newest ended just now and above its open. */
export function waves(count: number, minutes: number, centre: number): readonly Bar[] {
  const lengthMs = minutes * MINUTE_MS;
  const end = Math.floor(Date.now() / lengthMs) * lengthMs;
  const heightAt = (place: number) => Math.round(120 * Math.sin((place - count) / 6));
  return Array.from({ length: count }, (_, place) => {
    const [open, close] = [centre + heightAt(place), centre + heightAt(place + 1)];
    return {
      startsAt: end - (count - place) * lengthMs,
      open: ticks(open),
      high: ticks(Math.max(open, close) + 9),
      low: ticks(Math.min(open, close) - 7),
      close: ticks(close),
      volume: 100,
    };
  });
}

/** One strategy, opened in its page as a person does. */
export class StrategyView {
  readonly site: ConsoleSite;
  readonly page: Page;
  readonly made: Made;
  readonly dialog: Locator;
  /** What the page asked of the gateway since it was opened, other than to read. */
  readonly sent: readonly string[];

  private constructor(site: ConsoleSite, page: Page, made: Made) {
    this.site = site;
    this.page = page;
    this.made = made;
    this.dialog = page.getByRole("dialog");
    this.sent = changesSentBy(page);
  }

  static async open(site: ConsoleSite, made: Made): Promise<StrategyView> {
    const page = await site.open(`/strategies/${made.id}`);
    await page.getByRole("heading", { level: 1, name: made.name }).waitFor();
    return new StrategyView(site, page, made);
  }

  /** The strategy as the gateway has it now. */
  async stored() {
    return (await this.site.gateway.api.get(`/v1/strategies/${this.made.id}`)).body;
  }

  region(name: "State" | "Chart" | "Rules" | "Log"): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }

  /** The plot of the bars, once it is drawn. */
  get plot(): Locator {
    return this.region("Chart").getByRole("img", { name: /bars of/ });
  }

  /** Lines of the log that say so. */
  logged(says: string | RegExp): Locator {
    return this.region("Log").getByRole("row").filter({ hasText: says });
  }

  button(says: string): Locator {
    return this.region("State").getByRole("button", { name: new RegExp(`^${says}( …)?$`) });
  }

  /** Presses a button of the page, and waits for the dialog that it asks with. */
  async ask(says: string): Promise<Locator> {
    await this.button(says).click();
    await this.dialog.waitFor();
    return this.dialog;
  }

  /** Presses a button of the dialog, and waits until the dialog is gone. */
  async answer(says: string): Promise<void> {
    await this.dialog.getByRole("button", { name: says, exact: true }).click();
    await this.dialog.waitFor({ state: "detached" });
  }
}

/** How many pixels of the bars' plot have the colour of the marks of decisions. */
export async function markedPixels({ page, plot }: StrategyView): Promise<number> {
  await plot.locator("canvas").waitFor();
  return Number(await page.evaluate(COUNT_MARKED));
}

/** In the browser's words: this program has no types for them. */
const COUNT_MARKED = `(() => {
  const canvas = document.querySelector(".plot.tall canvas");
  const probe = document.createElement("i");
  probe.className = "ink decision";
  document.body.append(probe);
  const [red, green, blue] = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
  probe.remove();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const isMark = data[at] === red && data[at + 1] === green && data[at + 2] === blue;
    if (isMark && data[at + 3] === 255) count += 1;
  }
  return count;
})()`;

import { type PaperSettings, PaperSettingsError } from "../config.ts";
import type { PricedProduct } from "../reference-prices.ts";
import { createBarFeed } from "./bar-feed.ts";
import { loadBarFile } from "./bar-file.ts";
import { createManualFeed } from "./manual-feed.ts";
import type { PriceFeed } from "./price-feed.ts";
import { createSeededFeed } from "./seeded-feed.ts";

export interface PaperFeedDeps {
  readonly now: () => number;
  readonly productOf: (root: string) => PricedProduct | undefined;
}

/** The feed that the settings ask for. Rejects when its bar file cannot be used. */
export async function loadPaperFeed(
  settings: PaperSettings,
  { now, productOf }: PaperFeedDeps,
): Promise<PriceFeed> {
  switch (settings.feed) {
    case "manual":
      return createManualFeed();
    case "seeded":
      return createSeededFeed({ seed: settings.seed, now, productOf });
    case "bars": {
      const { barFile, barRoot: root, barSpeed: speed, barsLoop: loops } = settings;
      const size = root === undefined ? undefined : productOf(root)?.tickSize;
      if (barFile === undefined || root === undefined || size === undefined) {
        throw new PaperSettingsError("A bar feed needs barFile and the known root in barRoot");
      }
      return createBarFeed({ root, bars: await loadBarFile(barFile, size), speed, loops, now });
    }
  }
}

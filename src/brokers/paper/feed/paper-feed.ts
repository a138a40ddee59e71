import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { TickSize } from "../../../domain/contracts/price.ts";
import { type PaperSettings, PaperSettingsError } from "../config.ts";
import type { PaperProduct } from "../exchange/product.ts";
import { createBarFeed } from "./bar-feed.ts";
import { loadBarFile } from "./bar-file.ts";
import { createManualFeed } from "./manual-feed.ts";
import type { PriceFeed } from "./price-feed.ts";
import { createSeededFeed } from "./seeded-feed.ts";

export interface PaperFeedDeps {
  readonly now: () => number;
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly tickSizeOfRoot: (root: string) => TickSize | undefined;
}

/** The feed that the settings ask for. Rejects when its bar file cannot be used. */
export async function loadPaperFeed(
  settings: PaperSettings,
  { now, product, tickSizeOfRoot }: PaperFeedDeps,
): Promise<PriceFeed> {
  switch (settings.feed) {
    case "manual":
      return createManualFeed();
    case "seeded": {
      const tickSize = (contract: ContractCode) => product(contract)?.tickSize;
      return createSeededFeed({ seed: settings.seed, now, tickSize });
    }
    case "bars": {
      const { barFile, barRoot: root, barSpeed: speed, barsLoop: loops } = settings;
      const size = root === undefined ? undefined : tickSizeOfRoot(root);
      if (barFile === undefined || root === undefined || size === undefined) {
        throw new PaperSettingsError("A bar feed needs barFile and the known root in barRoot");
      }
      return createBarFeed({ root, bars: await loadBarFile(barFile, size), speed, loops, now });
    }
  }
}

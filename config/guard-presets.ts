import type { GuardPreset } from "../src/domain/guards/preset.ts";
import { apex } from "./guard-presets/apex.ts";
import {
  bulenox,
  earn2Trade,
  myFundedFutures,
  takeProfitTrader,
  tradeDay,
  tradeify,
} from "./guard-presets/other-firms.ts";
import { topstep } from "./guard-presets/topstep.ts";

/**
 * What firms were known to ask of their accounts, to begin one's own guards with. Every one is dated, and
 * none is claimed to be current: firms change their rules. A figure that no source gave is left out, and
 * its notices say so.
 */
export const guardPresets: readonly GuardPreset[] = [
  ...topstep,
  ...apex,
  ...takeProfitTrader,
  ...myFundedFutures,
  ...tradeify,
  ...earn2Trade,
  ...bulenox,
  ...tradeDay,
];

import { NOTHING } from "../../src/domain/contracts/decimal.ts";
import type { PaperAdapterDeps } from "../../src/brokers/paper/adapter.ts";

/** A paper broker on which nothing costs anything, and it is the same day all the time. */
export const NO_FEES: Pick<PaperAdapterDeps, "feeOf" | "dayBeganAt"> = {
  feeOf: () => NOTHING,
  dayBeganAt: () => 0,
};

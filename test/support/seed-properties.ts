import fc from "fast-check";
import { CHECK_SEED } from "./check-seed.ts";

/** Properties of a test file draw from the seed of the run, unless one names its own. */
fc.configureGlobal({ seed: CHECK_SEED });

/**
 * The seed of everything that a check draws at random. It is the same each time, so that a check turns
 * red for a change alone. `CHECK_SEED=new` draws another one for this run, and `CHECK_SEED=123` takes
 * that one again.
 */
const GIVEN = process.env["CHECK_SEED"] ?? "1";

export const CHECK_SEED = GIVEN === "new" ? Date.now() % 2 ** 31 : Number(GIVEN);
if (!Number.isSafeInteger(CHECK_SEED)) throw new Error(`CHECK_SEED is no number: ${GIVEN}`);

// Processes of the run that begin later have the same.
process.env["CHECK_SEED"] = String(CHECK_SEED);

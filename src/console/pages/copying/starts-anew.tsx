import { POLICY_HINTS } from "./policy-words.ts";
import type { CopyGroup } from "./types.ts";

/** What a follower does that joins while its leader may be in the market. */
export function StartsAnew({ group: { driftPolicy } }: { group: Pick<CopyGroup, "driftPolicy"> }) {
  return (
    <>
      <p>
        What the leader does from now on is copied. What it holds already is not opened: in those
        contracts only exits are copied until it was flat in them, or until you sync.
      </p>
      {driftPolicy !== "alarm" && (
        <p>
          <strong>Anything held beyond that counts as out of sync.</strong>{" "}
          {POLICY_HINTS[driftPolicy]}
        </p>
      )}
    </>
  );
}

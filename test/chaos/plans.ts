import type { PlanEnd, PlanLook } from "./planning.ts";
import { covers, isEmpty, isSplit } from "./planning.ts";
import type { Verdict } from "./verdict.ts";

/** What exit plans have come to once nothing fails any more. */
export function judgePlans(ends: readonly PlanEnd[]): readonly Verdict[] {
  const verdict = (name: string, of: (end: PlanEnd) => string | undefined): Verdict => ({
    name,
    checked: ends.length,
    violations: ends.flatMap((end) => {
      const what = of(end);
      return what === undefined ? [] : [{ account: end.account, intentIds: [], what }];
    }),
  });
  return [
    verdict("stops of exit plans close just what is held", ({ left }) =>
      covers(left) ? undefined : inWords(left),
    ),
    verdict("an exit plan becomes one pair a target", ({ split }) =>
      isSplit(split) ? undefined : inWords(split),
    ),
    verdict("nothing is left of an exit plan that is over", ({ closed, kept }) =>
      isEmpty(closed) && kept === 0 ? undefined : `${inWords(closed)}; ${kept} plans are kept`,
    ),
  ];
}

const inWords = ({ heldQty, stopQty, stops, targetQty }: PlanLook): string =>
  `${heldQty} held, ${stops} stops for ${stopQty}, targets for ${targetQty}`;

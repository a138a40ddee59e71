import { formatMinor, type Minor, minor } from "../../domain/money.ts";
import type { BrokerBalance } from "./ports.ts";
import type { OwnFigures } from "./value-account.ts";

/** An account that nothing was traded on has no figures of its own. */
const NOTHING_TRADED = {
  realizedPnl: minor(0),
  fees: minor(0),
  areFeesExpected: false,
  unfeedQty: 0,
  isEstimated: false,
} satisfies Partial<OwnFigures>;

/**
 * The difference between broker and ledger on one day, in words. Undefined where both are known for
 * certain and the same, or one of them is not known.
 */
export function differenceOf(said: BrokerBalance, own: OwnFigures | undefined): string | undefined {
  const { realizedPnl, fees, isEstimated, areFeesExpected, unfeedQty } = own ?? NOTHING_TRADED;
  if (isEstimated) return undefined;
  const { currency } = said;
  const words = (name: string, theirs: Minor | undefined, ours: Minor | undefined) =>
    theirs === undefined || ours === undefined || theirs === ours
      ? []
      : [
          `${name} ${formatMinor(theirs, currency)} by the broker, ${formatMinor(ours, currency)} by the ledger`,
        ];
  const areFeesKnown = !areFeesExpected && unfeedQty === 0;
  const found = [
    ...words("won", said.realizedPnl, realizedPnl),
    ...(areFeesKnown ? words("fees", said.fees, fees) : []),
  ];
  return found.length === 0 ? undefined : `${found.join("; ")} (${currency})`;
}

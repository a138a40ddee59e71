import { GatewayError } from "../errors.ts";
import type { BrokerPosition } from "./ports.ts";
import { isMeant, type MeantPosition } from "./resolve.ts";

/** The one position that is meant, or the only one there is. */
export function heldPosition(
  positions: readonly BrokerPosition[],
  meant: MeantPosition | undefined,
): BrokerPosition {
  const [position, other] = positions.filter(({ contract }) => isMeant(contract, meant));
  if (position === undefined) {
    const what = meant === undefined ? "position" : `position in ${meant.contract ?? meant.root}`;
    throw new GatewayError("NO_POSITION", `The account holds no open ${what}`);
  }
  if (other !== undefined) {
    const message = "must say which of the open positions is meant";
    throw new GatewayError("VALIDATION_FAILED", `symbol ${message}`, {
      details: [{ path: "symbol", message }],
    });
  }
  return position;
}

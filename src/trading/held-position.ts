import { rootOfCode } from "../domain/contract.ts";
import { GatewayError } from "../errors.ts";
import type { BrokerPosition } from "./ports.ts";

/** The one position that is meant: of the given root, or the only one there is. */
export function heldPosition(
  positions: readonly BrokerPosition[],
  root: string | undefined,
): BrokerPosition {
  const meant =
    root === undefined
      ? positions
      : positions.filter(({ contract }) => rootOfCode(contract) === root);
  const [position, other] = meant;
  if (position === undefined) {
    const what = root === undefined ? "position" : `position in ${root}`;
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

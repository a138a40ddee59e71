import { lackedBy } from "../../domain/broker-lacks.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import type { LaneConnection } from "./connected.ts";
import type { Refusal } from "./lane-deps.ts";

/**
 * The denial of an order that its broker cannot do; undefined where it can. No other order is put in its
 * place, and a start that was not named is not guessed.
 */
export function refuseImpossible(
  { lacks, trailsFromMarket }: Pick<LaneConnection, "lacks" | "trailsFromMarket">,
  order: Pick<NewOrderSingle, "ordType" | "timeInForce" | "stopPx">,
): Refusal | undefined {
  const { ordType, stopPx } = order;
  const needsStart = ordType === "TRAILING_STOP" && stopPx === undefined && !trailsFromMarket;
  const reason = lackedBy(lacks, order) ?? (needsStart ? NO_START : undefined);
  return reason === undefined ? undefined : { kind: "denied", code: "VALIDATION_FAILED", reason };
}

const NO_START =
  "This broker wants to be told where a trailing stop starts, and the gateway knows no price to start it from: give stopPrice";

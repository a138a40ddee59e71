import type { Config } from "../../../config/index.ts";
import type { Alarms } from "../../trading/alarms/alarm.ts";
import type { Finding } from "./durability.ts";

/** The gateway cannot start; the message says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** "Rules for money" 1: what may lose accepted orders is refused, unless the operator insists. */
export function refuseUnsafeRedis(
  findings: readonly Finding[],
  config: Config,
  { raise }: Pick<Alarms, "raise">,
): void {
  if (findings.length === 0) return;
  if (!config.ALLOW_UNSAFE_REDIS) {
    const list = findings.map(({ text }) => `  ${text}`).join("\n");
    throw new StartError(
      `This Redis is not a safe place for accepted orders:\n${list}\n` +
        "Set it right, or set ALLOW_UNSAFE_REDIS=true to start all the same.",
    );
  }
  for (const { text: reason } of findings) raise({ kind: "startedUnsafe", reason });
}

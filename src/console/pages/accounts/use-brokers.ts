import { answerOf, api } from "../../api/client.ts";
import { type Polled, usePoll } from "../../shell/poll.ts";
import type { Broker } from "./types.ts";

/** They change with the gateway's version alone; asked again for when there was no answer. */
const EVERY_MS = 30_000;

/** The brokers that connections can be made to, and what each of them asks for. */
export const useBrokers = (): Polled<{ readonly brokers: readonly Broker[] }> =>
  usePoll("brokers", () => answerOf(api.GET("/v1/brokers")), { everyMs: EVERY_MS });

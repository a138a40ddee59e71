import { createChannel } from "./channel.ts";
import type { GuardedRequest } from "./guarded-request.ts";
import { failed, gone, isSuccess } from "./read-answer.ts";

/** Asks an address, which is all that an outside watcher needs. A 404 may be a check that is paused. */
export function createHeartbeat(request: GuardedRequest, limitMs?: number) {
  return createChannel(
    {
      kind: "heartbeat",
      gapMs: 0,
      deliver: async (_, { settings }, signal) => {
        const answer = await request(settings.url, { method: "GET", signal });
        if (answer.kind === "failed") return answer;
        if (isSuccess(answer)) return { kind: "delivered", status: answer.status };
        return answer.status === 410 ? gone(answer, "The watcher is gone") : failed(answer);
      },
    },
    limitMs,
  );
}

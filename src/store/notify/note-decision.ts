import type { EventDraft } from "../../trading/notify/outbox.ts";
import { keyInLua } from "../keys-in-lua.ts";
import { noteLine } from "./note-outcome.ts";

const OUTBOX = keyInLua((keys, account) => keys.outbox(account));

/**
 * For scripts whose first key is `keys.account`. `noteDecision(event)`: what a guard decided is told, as it
 * is written in `event`, one of `decisionArgument`. The line has its id, and so the event its own, from the
 * step that stored the decision: a script that finds the decision stored already must not note it again.
 */
export const noteDecision = `${noteLine}
local function noteDecision(event)
  if event ~= '' then noteLine(${OUTBOX}, 'e', event) end
end
`;

/** "" for what nobody is told. */
export const decisionArgument = (event: EventDraft | undefined): string =>
  event === undefined ? "" : JSON.stringify(event);

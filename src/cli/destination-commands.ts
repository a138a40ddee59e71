import { credentialId } from "../domain/ids.ts";
import type { DestinationId } from "../domain/notify/destination.ts";
import type { DestinationView } from "../trading/notify/destination-uses.ts";
import type { Caller } from "../trading/people/caller.ts";
import { type Command, type CommandContext, required, table, when } from "./command-words.ts";

export const DESTINATION_COMMANDS: Readonly<Record<string, Command>> = {
  "destinations list": listDestinations,
  "destinations test": testDestination,
  "destinations undelivered": listUndelivered,
  "destinations replay": replayUndelivered,
};

/** More than a terminal shows; the newest come first. */
const SHOWN = 200;

async function listDestinations(context: CommandContext): Promise<string> {
  const { uses, caller } = await open(context);
  const rows = (await uses.listDestinations(caller)).map((one) => [
    one.id,
    one.name,
    one.kind,
    stateOf(one),
    String(one.state.waiting),
    String(one.state.undelivered),
    when(one.state.deliveredAt),
    one.disabled?.reason ?? one.state.failure?.reason ?? "-",
  ]);
  return table(
    ["id", "name", "kind", "state", "waiting", "undelivered", "delivered", "last failure"],
    rows,
  );
}

function stateOf({ disabled, isLinked, state }: DestinationView): string {
  if (disabled !== undefined) return "off";
  if (isLinked === false) return "not linked";
  return state.failures > 0 ? "failing" : "on";
}

async function testDestination(context: CommandContext): Promise<string> {
  const { uses, caller, id } = await open(context);
  const { isDelivered, status, reason, ms } = await uses.testDestination(caller, id());
  const came = status === undefined ? "" : `, status ${status}`;
  return `${isDelivered ? "Delivered" : `Not delivered: ${reason ?? ""}`} (${ms} ms${came})`;
}

async function listUndelivered(context: CommandContext): Promise<string> {
  const { uses, caller, id } = await open(context);
  const { items } = await uses.listUndelivered(caller, id(), { limit: SHOWN });
  const rows = items.map(({ event, attempts, reason }) => [
    event.id,
    when(event.at),
    event.type,
    event.message,
    String(attempts),
    reason,
  ]);
  return table(["event", "happened", "type", "message", "attempts", "reason"], rows);
}

/** The events that are named, or all. */
async function replayUndelivered(context: CommandContext): Promise<string> {
  const { uses, caller, id } = await open(context);
  const events = context.positionals.slice(1);
  const count = await uses.replayUndelivered(
    caller,
    id(),
    events.length === 0 ? undefined : events,
  );
  const from = context.store.isRunning ? "now" : "when the gateway starts";
  return `${count} sent again, ${from}`;
}

async function open({ store, positionals }: CommandContext) {
  const receivedAt = await store.intents.now();
  const caller: Caller = {
    userId: store.user.userId,
    credentialId: credentialId("command-line"),
    scopes: ["notify"],
    receivedAt,
    // A test's id is made of it: receivers take each once.
    requestId: `command-line-${receivedAt}`,
  };
  const id = () => required(positionals[0], "the destination's id") as DestinationId;
  return { uses: await store.openDestinations(), caller, id };
}

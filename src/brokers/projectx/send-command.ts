import type { CommandFailure } from "../../trading/ports.ts";
import { classifyAnswer, type Command, isTagInUse } from "./classify-error.ts";
import { toId } from "./parse.ts";
import type { Purpose, Requests } from "./requests.ts";

/** The broker's word that it did nothing. */
export interface RefusedCommand {
  readonly kind: "rejected";
  readonly reason: string;
  /** It has an order with the tag already. */
  readonly isTagInUse: boolean;
  /** The number under which it keeps what it refused, where it names one. */
  readonly orderId: string | undefined;
}

/** How a command was answered. */
export type SentCommand =
  | { readonly kind: "taken"; readonly answer: Readonly<Record<string, unknown>> }
  /** It may still be carried out, and it may not. */
  | { readonly kind: "pending"; readonly reason: string }
  | RefusedCommand
  | Exclude<CommandFailure, { kind: "rejected" }>;

/** Sends a command once, and judges its answer. Never rejects. */
export async function sendCommand(
  requests: Pick<Requests, "ask">,
  command: Command,
  body: object,
  purpose: Purpose,
): Promise<SentCommand> {
  const outcome = await requests.ask(command, body, purpose);
  if (outcome.kind !== "answered") return outcome;
  const judged = classifyAnswer(command, outcome.body);
  switch (judged.kind) {
    case "taken":
      return { kind: "taken", answer: outcome.body.body };
    case "rejected": {
      const id = toId(outcome.body.body["orderId"]);
      return { ...judged, isTagInUse: isTagInUse(command, outcome.body), orderId: id };
    }
    case "pending":
    case "notSent":
    case "unknown":
      return judged;
  }
}

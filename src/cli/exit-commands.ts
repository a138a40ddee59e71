import { intentId } from "../domain/ids.ts";
import { isGoingOn } from "../domain/intent.ts";
import { takeBackExit } from "../trading/orders/take-back-exit.ts";
import {
  type Command,
  type CommandContext,
  required,
  table,
  toAccount,
  when,
} from "./command-words.ts";

export const EXIT_COMMANDS: Readonly<Record<string, Command>> = {
  "exits list": listExits,
  "exits take-back": takeBack,
};

/** The exits that are not done, or wait for their market. */
async function listExits(context: CommandContext): Promise<string> {
  const account = await ownAccount(context);
  const records = await context.store.intents.unsettled(account);
  const rows = records
    .filter(({ state }) => isGoingOn(state))
    .map(({ intentId: id, state, acceptedAt, outcome }) => [
      id,
      state.toLowerCase(),
      when(acceptedAt),
      when(outcome !== undefined && "opensAt" in outcome ? outcome.opensAt : undefined),
      outcome !== undefined && "reason" in outcome ? outcome.reason : "-",
    ]);
  return table(["id", "state", "accepted", "opens", "reason"], rows);
}

async function takeBack(context: CommandContext): Promise<string> {
  const account = await ownAccount(context);
  const id = intentId(required(context.positionals[1], "the exit's id"));
  await takeBackExit(context.store.intents, account, id);
  return `${id} is taken back: nothing more of it is sent`;
}

async function ownAccount({ store, positionals }: CommandContext) {
  const account = toAccount(required(positionals[0], "the account"));
  await store.accounts.require(store.user.userId, account);
  return account;
}

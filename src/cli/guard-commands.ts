import { credentialId } from "../domain/ids.ts";
import { presentGuards } from "../http/present/guards.ts";
import { readLock } from "../http/requests/read-guards.ts";
import type { GuardsView } from "../trading/guards/guard-uses.ts";
import type { Caller } from "../trading/people/caller.ts";
import {
  type Command,
  type CommandContext,
  required,
  table,
  toAccount,
  UsageError,
} from "./command-words.ts";

export const GUARD_COMMANDS: Readonly<Record<string, Command>> = {
  "guards show": showGuards,
  "guards lock": lockAccount,
  "guards unlock": unlockAccount,
};

async function showGuards(context: CommandContext): Promise<string> {
  const { guards, caller, account } = await open(context);
  return shown(account, await guards.readGuards(caller, account));
}

async function lockAccount(context: CommandContext): Promise<string> {
  const { guards, caller, account } = await open(context);
  const { until, lock = "soft", then = "exitsOnly", reason } = context.options;
  const request = readLock(
    {
      lock: oneOf(["soft", "hard"], lock, "--lock"),
      then: oneOf(["flatten", "exitsOnly"], then, "--then"),
      ...(until !== undefined && { until }),
      ...(reason !== undefined && { reason }),
    },
    caller.receivedAt,
  );
  return shown(account, await guards.lockAccount(caller, account, request));
}

async function unlockAccount(context: CommandContext): Promise<string> {
  const { guards, caller, account } = await open(context);
  const reason = required(context.options["reason"], "--reason");
  return shown(account, await guards.unlockAccount(caller, account, { reason }));
}

/** Whoever has the machine has proved enough. */
async function open({ store, positionals }: CommandContext) {
  const receivedAt = await store.intents.now();
  const caller: Caller = {
    userId: store.user.userId,
    credentialId: credentialId("command-line"),
    scopes: ["read", "trade", "manage"],
    receivedAt,
    requestId: `command-line-${receivedAt}`,
  };
  return {
    guards: await store.openGuards(),
    caller,
    account: toAccount(required(positionals[0], "the account")),
  };
}

function oneOf<const Word extends string>(
  words: readonly Word[],
  text: string,
  option: string,
): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new UsageError(`${option} is one of ${words.join(", ")}, not "${text}"`);
}

/** In the words and figures of the API. */
function shown(account: Parameters<typeof presentGuards>[0], view: GuardsView): string {
  const { rules, lock, blind, entriesRefused, judgedAt } = presentGuards(account, view);
  const rows = rules.map(({ rule, verdict }) => [
    rule.id,
    rule.kind,
    rule.mode,
    verdict?.level ?? "not judged",
    ...[verdict?.figure, verdict?.limit, verdict?.room, verdict?.resetsAt].map(orDash),
    verdict?.reason ?? "-",
  ]);
  const facts = [
    [
      "locked",
      lock === null
        ? "no"
        : `until ${lock.until ?? "a person ends it"}, ${lock.lock}: ${lock.reason}`,
    ],
    ["entries", entriesRefused === null ? "pass" : `refused: ${entriesRefused}`],
    [
      "figures",
      blind === null ? `of ${orDash(judgedAt)}` : `missing since ${blind.since}: ${blind.reason}`,
    ],
  ];
  const head = ["rule", "kind", "mode", "level", "figure", "limit", "room", "resets", "reason"];
  return `${table(["account", account], facts)}\n\n${table(head, rows)}`;
}

const orDash = (value: string | number | null | undefined): string => String(value ?? "-");

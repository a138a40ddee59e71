import type { User } from "../domain/people/credential.ts";
import { userId } from "../domain/ids.ts";
import { findNameProblem } from "../domain/people/person.ts";
import { createRemoveUser } from "../trading/people/remove-user.ts";
import {
  type Command,
  type CommandContext,
  required,
  table,
  UsageError,
  when,
} from "./command-words.ts";
import { setUpLink } from "../trading/people/first-start.ts";

export const USER_COMMANDS: Readonly<Record<string, Command>> = {
  "users add": addUser,
  "users list": listUsers,
  "users link": linkUser,
  "users remove": removeUser,
};

async function addUser(context: CommandContext): Promise<string> {
  const name = required(context.positionals[0], "the user's name").normalize("NFC");
  const problem = findNameProblem(name);
  if (problem !== undefined) throw new UsageError(`The user's name ${problem}`);
  const user = await context.store.people.addUser(name);
  return `${user.userId} is added. ${await printLink(context, user)}`;
}

async function listUsers({ store: { people, passkeys } }: CommandContext): Promise<string> {
  const users = await people.users();
  const rows = users.map(async ({ userId: id, name, createdAt }) => {
    const [record, known] = await Promise.all([people.find(id), passkeys.list(id)]);
    const signIn = record === undefined ? "not set up" : "set up";
    return [id, name, signIn, String(known.length), when(createdAt)];
  });
  return table(["id", "name", "sign-in", "passkeys", "created"], await Promise.all(rows));
}

/** For who is new, and for who lost what they sign in with. */
async function linkUser(context: CommandContext): Promise<string> {
  return await printLink(context, await requireUser(context));
}

async function removeUser(context: CommandContext): Promise<string> {
  const { store } = context;
  required(context.positionals[0], "the user's id");
  const { userId: id, name } = await requireUser(context);
  if (id === store.user.userId) {
    throw new UsageError(`${id} is the first user, who cannot be removed`);
  }
  await createRemoveUser({ ...store, ...(await store.openConnections()) })(id);
  return `${id} (${name}) is removed, with all sessions, API keys, webhooks, destinations, account groups, exit plans, calendars, copy groups, strategies and connections`;
}

async function printLink({ store }: CommandContext, { userId: id, name }: User): Promise<string> {
  const link = setUpLink(store.url, await store.people.createLink(id));
  return `For ${name} to choose a password (once, within 24 hours):\n${link}`;
}

/** Where there is one user only, nobody has to look up their id. */
async function requireUser({ store, positionals }: CommandContext): Promise<User> {
  const users = await store.people.users();
  const [only] = users;
  if (positionals[0] === undefined && users.length === 1 && only !== undefined) return only;
  const id = userId(required(positionals[0], "the user's id"));
  const user = users.find((one) => one.userId === id);
  if (user === undefined) throw new UsageError(`There is no user ${id}`);
  return user;
}

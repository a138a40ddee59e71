import type { AccountId } from "../../domain/ids.ts";
import type { User } from "../../domain/people/credential.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { CredentialStore, PeopleStore } from "./ports.ts";

export interface FirstStartDeps {
  readonly credentials: CredentialStore;
  readonly accounts: AccountDirectory;
  readonly user: User;
  /** Of several processes that start together one hands them out; one that died on it is followed. */
  readonly claim: () => Promise<boolean>;
}

/** What a new appliance hands out, once. */
export interface FirstCredentials {
  readonly accountId: AccountId;
  readonly webhookSecret: string;
  readonly keySecret: string;
}

/**
 * On the very first start: a webhook bound to a paper account and a key for everything. Undefined
 * on every later start, however the credentials were changed meanwhile.
 */
export async function createFirstCredentials({
  credentials,
  accounts,
  user: { userId },
  claim,
}: FirstStartDeps): Promise<FirstCredentials | undefined> {
  const account = accounts.of(userId).find(({ active }) => active);
  if (account === undefined || (await credentials.keys(userId)).length > 0) return undefined;
  if (!(await claim())) return undefined;

  const { accountId } = account;
  const webhook = await credentials.createWebhook({ userId, accountId, name: "First webhook" });
  const key = await credentials.createKey({
    userId,
    name: "First key",
    scopes: ["read", "trade"],
  });
  return { accountId, webhookSecret: webhook.secret, keySecret: key.secret };
}

/** As long as nobody has ever set up how they sign in, each start hands the first user a link. */
export async function offerSetUp(
  people: Pick<PeopleStore, "anybody" | "createLink">,
  url: string,
  { userId }: User,
): Promise<string | undefined> {
  if (await people.anybody()) return undefined;
  return setUpLink(url, await people.createLink(userId));
}

/**
 * Where a person chooses their password. What is behind the `#` no browser sends, so it is in no log.
 * Passkeys need a name: a machine's own address is called by its own.
 */
export function setUpLink(url: string, secret: string): string {
  const console = new URL("/console/", url);
  if (/^(?:127[.\d]+|\[::1\])$/.test(console.hostname)) console.hostname = "localhost";
  return `${console.href}#/set-up/${secret}`;
}

import { whyUnreachable } from "../domain/reachable.ts";
import { ALERT_TEMPLATES } from "../http/alerts/alert-templates.ts";
import type { AccountId } from "../domain/ids.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import type { User } from "../domain/people/credential.ts";
import { createRedisCredentialStore } from "../store/people/redis-credential-store.ts";
import { createRedisPeople } from "../store/people/redis-people.ts";
import type { OpenStore } from "./open-store.ts";

interface FirstStartDeps {
  readonly store: OpenStore;
  readonly accounts: AccountDirectory;
  readonly user: User;
  readonly processId: string;
}

/** Of several processes that start together one hands them out; one that died on it is followed. */
const CLAIM_MS = 10_000;

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
  store: { worker: redis, keys },
  accounts,
  user: { userId },
  processId,
}: FirstStartDeps): Promise<FirstCredentials | undefined> {
  const credentials = createRedisCredentialStore({ redis, keys });
  const account = accounts.of(userId).find(({ active }) => active);
  if (account === undefined || (await credentials.keys(userId)).length > 0) return undefined;
  const claimed = await redis.set(keys.firstStart, processId, "PX", CLAIM_MS, "NX");
  if (claimed === null) return undefined;

  const { accountId } = account;
  const webhook = await credentials.createWebhook({ userId, accountId, name: "First webhook" });
  const key = await credentials.createKey({
    userId,
    name: "First key",
    scopes: ["read", "trade"],
  });
  return { accountId, webhookSecret: webhook.secret, keySecret: key.secret };
}

interface OfferSetUpDeps extends Pick<FirstStartDeps, "store" | "user"> {
  readonly url: string;
}

/** As long as nobody has ever set up how they sign in, each start hands the first user a link. */
export async function offerSetUp({
  store: { worker: redis, keys },
  url,
  user: { userId },
}: OfferSetUpDeps): Promise<string | undefined> {
  const people = createRedisPeople({ redis, keys });
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

/** What is printed of a start. */
export interface Greeting {
  /** What printed URLs start with. */
  readonly url: string;
  /** Present on the very first start only. */
  readonly first: FirstCredentials | undefined;
  /** Present as long as nobody can sign in. */
  readonly setUpLink: string | undefined;
}

/** What the first start prints: enough to sign in, send an order and see it, by copying lines. */
export function welcome({ url, first, setUpLink: link }: Greeting): string {
  const signIn =
    link === undefined
      ? `Console: ${url}/console/\n`
      : `Console, to choose your password (once, within 24 hours):\n  ${link}\n`;
  const listens = `The gateway listens on ${url}\n${signIn}`;
  if (first === undefined) return `${listens}API document: ${url}/api-docs\n`;

  const { accountId, webhookSecret, keySecret } = first;
  const hook = `${url}/hooks/${webhookSecret}`;
  const warning = whyUnreachable(url);
  return `${listens}
Webhook URL of account ${accountId} (shown this once; paste it into an alert):
  ${hook}
${warning === undefined ? "" : `  ${warning}.\n`}Message for an alert on a TradingView strategy:
  ${ALERT_TEMPLATES.native}
API key (shown this once; keep it):
  ${keySecret}

Send an alert, and see it filled:
  curl -s -X POST '${hook}' -d '{"action":"buy","symbol":"MNQ1!","qty":1}'
See the position that it left:
  curl -s -H 'X-API-Key: ${keySecret}' '${url}/v1/accounts/${accountId}/positions'

API document: ${url}/api-docs
`;
}

import { randomBytes } from "node:crypto";
import type { ApiKey, Webhook } from "../../domain/people/credential.ts";
import { type Session, SESSION_IDLE_MS } from "../../domain/people/session.ts";
import type {
  Admission,
  Admissions,
  Allowance,
  RememberedWebhook,
} from "../../trading/people/admissions.ts";
import { decodeApiKey, decodeWebhook } from "./credential-record.ts";
import type { Keys, UserCredentialKind } from "../keys.ts";
import { decodeSession } from "./redis-sessions.ts";
import { inTurn } from "../redis/in-turn.ts";
import { runScript, toHash } from "../redis/script.ts";
import { admit } from "./admit.ts";
import { toQuota, WINDOW_SECONDS } from "./quota.ts";
import { StoreClock, WebhookMemory } from "./webhook-memory.ts";
import { hashSecret } from "./secret.ts";
import { type Fields, WebhookRecords, webhookScripts } from "./webhook-records.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const admissionScripts = [admit, ...webhookScripts];

/** A page of the console asks for several things at once, and again as they change. */
const SESSION_LIMIT = 600;
/**
 * Exits of a credential in a window that has no room for them: enough to leave every account of a
 * large book at once, and still a bound.
 */
const EXIT_RESERVE = 120;

interface AdmissionDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly keyLimit: number;
  /** Of webhooks that have no limit of their own. */
  readonly webhookLimit: number;
  /** Throws `StoreError` where the store is not the one in which the secret would be. */
  readonly requireKnown: (redis: RedisClient) => Promise<void>;
}

/** Answers in one round trip whether a secret lives and whether it has requests left. */
export function createRedisAdmissions(deps: AdmissionDeps): Admissions {
  const { redis, keys, keyLimit, webhookLimit, requireKnown } = deps;
  // Members of a window must differ, also between processes and within one millisecond.
  const process = randomBytes(6).toString("base64url");
  let requests = 0;

  const webhooks = new WebhookRecords({ redis, keys });
  const memory = new WebhookMemory();
  const clock = new StoreClock();

  /** Undefined when no such credential lives there. */
  async function ask(
    at: readonly string[],
    allowance: Allowance | undefined,
    { byDefault, ofSession = [] }: Limits,
  ): Promise<Asked | undefined> {
    requests += 1;
    const reserve = allowance === "exits" ? EXIT_RESERVE : 0;
    const args = [byDefault, WINDOW_SECONDS * 1000, `${process}${requests}`, reserve, ...ofSession];
    const reply = (await runScript(redis, admit, at, args)) as
      | [number, number, number, number, number, unknown]
      | [];
    if (reply.length === 0) return undefined;

    const [admitted, now, limit, used, freeInMs, fields] = reply;
    const quota = toQuota([limit, used, freeInMs]);
    return { kind: admitted === 1 ? "admitted" : "limited", now, quota, fields: toHash(fields) };
  }

  async function toUnknown(): Promise<{ readonly kind: "unknown" }> {
    await requireKnown(redis);
    return { kind: "unknown" };
  }

  async function admitSecret<Credential>(
    kind: UserCredentialKind,
    secret: string,
    allowance: Allowance | undefined,
    { decode, ...limits }: Terms<Credential>,
  ): Promise<Admission<Credential>> {
    const hash = hashSecret(kind, secret);
    if (hash === undefined) return { kind: "unknown" };

    const at = [
      keys.credential(kind, hash),
      keys.credentialWindow(kind, hash),
      keys.credentialExits(kind, hash),
    ];
    const asked = await ask(at, allowance, limits);
    if (asked === undefined) return await toUnknown();
    const { fields, ...answer } = asked;
    return { ...answer, credential: decode(fields) };
  }

  async function admitWebhook(secret: string, allowance?: Allowance): Promise<Admission<Webhook>> {
    const hash = hashSecret("webhook", secret);
    if (hash === undefined) return { kind: "unknown" };

    memory.asks(hash);
    // Until its turn has come it counts as being admitted: nothing that is remembered overtakes it.
    const asked = await inTurn(askedOf(hash, allowance)).finally(() => memory.answered(hash));
    if (asked === undefined) {
      memory.forget(hash);
      return await toUnknown();
    }
    const { fields, ...answer } = asked;
    const credential = decodeWebhook(fields);
    // What goes to a group is accepted in other slots than the one in which the webhook lies.
    const isOfOne = credential.groupId === undefined;
    memory.keep(hash, credential, isOfOne ? fields["version"] : undefined);
    clock.heard(answer.now);
    return { ...answer, credential };
  }

  async function askedOf(hash: string, allowance: Allowance | undefined) {
    return await webhooks.atItsPlace(hash, async (account) => {
      const found = await ask(webhooks.keysOf(account, hash), allowance, ofWebhooks);
      return found?.fields["arrival"] === undefined ? found : undefined;
    });
  }

  function remembered(secret: string): RememberedWebhook | undefined {
    const hash = hashSecret("webhook", secret);
    const known = hash === undefined ? undefined : memory.find(hash);
    const receivedAt = clock.now();
    if (hash === undefined || known === undefined || receivedAt === undefined) return undefined;
    const { webhook, version } = known;
    return { webhook, version, hash, byDefault: webhookLimit, receivedAt };
  }

  const ofWebhooks: Limits = { byDefault: webhookLimit };
  const ofKeys: Terms<ApiKey> = { byDefault: keyLimit, decode: decodeApiKey };
  const ofSessions = (isAttended: boolean): Terms<Session> => ({
    byDefault: SESSION_LIMIT,
    decode: decodeSession,
    ofSession: [SESSION_IDLE_MS, isAttended ? "1" : "0"],
  });
  return {
    admitKey: async (secret, allowance) => await admitSecret("key", secret, allowance, ofKeys),
    admitWebhook,
    remembered,
    admitSession: async (secret, isAttended, allowance) =>
      await admitSecret("session", secret, allowance, ofSessions(isAttended)),
  };
}

/** What the script answers of a credential that lives. */
interface Asked extends Pick<Admitted, "kind" | "now" | "quota"> {
  readonly fields: Fields;
}

type Admitted = Exclude<Admission<unknown>, { readonly kind: "unknown" }>;

interface Limits {
  /** Requests in a window, for those without a limit of their own. */
  readonly byDefault: number;
  /** Time without use after which it is over, and whether this is use. */
  readonly ofSession?: readonly (string | number)[];
}

/** What holds for credentials of one kind. */
interface Terms<Credential> extends Limits {
  readonly decode: (hash: Fields) => Credential;
}

import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { ApiKey, Webhook } from "../../domain/people/credential.ts";
import { type Session, SESSION_IDLE_MS } from "../../domain/people/session.ts";
import type { Admission, Admissions, Allowance, Quota } from "../../trading/people/admissions.ts";
import { decodeApiKey, decodeWebhook } from "./credential-record.ts";
import type { CredentialKind, Keys } from "../keys.ts";
import { decodeSession } from "./redis-sessions.ts";
import { runScript, toHash } from "../redis/script.ts";
import { admit } from "./admit.ts";
import { hashSecret } from "./secret.ts";

export const admissionScripts = [admit];

const WINDOW_SECONDS = 60;
/** A page of the console asks for several things at once, and again as they change. */
const SESSION_LIMIT = 600;
/**
 * Exits of a credential in a window that has no room for them: enough to leave every account of a
 * large book at once, and still a bound.
 */
const EXIT_RESERVE = 120;

interface AdmissionDeps {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly keyLimit: number;
  /** Of webhooks that have no limit of their own. */
  readonly webhookLimit: number;
  /** Throws `StoreError` where the store is not the one in which the secret would be. */
  readonly requireKnown: (redis: Redis) => Promise<void>;
}

/** Answers in one round trip whether a secret lives and whether it has requests left. */
export function createRedisAdmissions(deps: AdmissionDeps): Admissions {
  const { redis, keys, keyLimit, webhookLimit, requireKnown } = deps;
  // Members of a window must differ, also between processes and within one millisecond.
  const process = randomBytes(6).toString("base64url");
  let requests = 0;

  async function admitSecret<Credential>(
    kind: CredentialKind,
    secret: string,
    allowance: Allowance | undefined,
    { byDefault, decode, ofSession = [] }: Terms<Credential>,
  ): Promise<Admission<Credential>> {
    const hash = hashSecret(kind, secret);
    if (hash === undefined) return { kind: "unknown" };

    requests += 1;
    const reserve = allowance === "exits" ? EXIT_RESERVE : 0;
    const reply = (await runScript(
      redis,
      admit,
      [
        keys.credential(kind, hash),
        keys.credentialWindow(kind, hash),
        keys.credentialExits(kind, hash),
      ],
      [byDefault, WINDOW_SECONDS * 1000, `${process}${requests}`, reserve, ...ofSession],
    )) as [number, number, number, number, number, unknown] | [];
    if (reply.length === 0) {
      await requireKnown(redis);
      return { kind: "unknown" };
    }

    const [admitted, now, limit, used, freeInMs, fields] = reply;
    const quota: Quota = {
      limit,
      windowSeconds: WINDOW_SECONDS,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.max(1, Math.ceil(freeInMs / 1000)),
    };
    const credential = decode(toHash(fields));
    return { kind: admitted === 1 ? "admitted" : "limited", credential, now, quota };
  }

  const ofKeys: Terms<ApiKey> = { byDefault: keyLimit, decode: decodeApiKey };
  const ofWebhooks: Terms<Webhook> = { byDefault: webhookLimit, decode: decodeWebhook };
  const ofSessions = (isAttended: boolean): Terms<Session> => ({
    byDefault: SESSION_LIMIT,
    decode: decodeSession,
    ofSession: [SESSION_IDLE_MS, isAttended ? "1" : "0"],
  });
  return {
    admitKey: async (secret, allowance) => await admitSecret("key", secret, allowance, ofKeys),
    admitWebhook: async (secret, allowance) =>
      await admitSecret("webhook", secret, allowance, ofWebhooks),
    admitSession: async (secret, isAttended, allowance) =>
      await admitSecret("session", secret, allowance, ofSessions(isAttended)),
  };
}

/** What holds for credentials of one kind. */
interface Terms<Credential> {
  /** Requests in a window, for those without a limit of their own. */
  readonly byDefault: number;
  /** Time without use after which it is over, and whether this is use. */
  readonly ofSession?: readonly (string | number)[];
  readonly decode: (hash: Readonly<Record<string, string>>) => Credential;
}

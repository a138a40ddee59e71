import { setTimeout as sleep } from "node:timers/promises";
import type { Links } from "./open-links.ts";
import type { Gateway } from "../trading/gateway.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Foundation } from "./open-foundation.ts";
import { composePeople } from "./compose-people.ts";
import type { Greeting } from "../processes/greeting.ts";
import { createFirstCredentials, offerSetUp } from "../trading/people/first-start.ts";
import { retryUntilDeadline } from "../store/retry-until-deadline.ts";
import type { EarlyListeners } from "./open-listeners.ts";
import { serveHttp } from "./serve-http.ts";
import { claimFirstStart } from "../store/people/redis-people.ts";

export interface IngressParts {
  readonly listeners: EarlyListeners;
  readonly gateway: Gateway;
}

/** The caller's side: makes intents durable, puts them on their lanes, and answers HTTP. */
export async function openIngress(
  base: Foundation,
  links: Links,
  { listeners, gateway }: IngressParts,
  lifecycle: Lifecycle,
): Promise<Greeting> {
  const { store, patient, processId, accounts, user } = base;
  const people = composePeople(base);
  const { board } = links;
  const url = await serveHttp({ ...base, board, listeners, gateway, people }, lifecycle);
  const { worker: redis, keys } = store;
  await redis.set(keys.url, url);
  await retryUntilDeadline(() => accounts.load());
  if (base.config.ROLE === "ingress") await untilFirstAccount(base);
  const first = await createFirstCredentials({
    credentials: patient.credentials,
    accounts,
    user,
    claim: async () => await claimFirstStart(redis, keys, processId),
  });
  return { url, first, setUpLink: await offerSetUp(patient.people, url, user) };
}

const FIRST_ACCOUNT_WITHIN_MS = 15_000;

/** Of processes that start together for the first time: a worker brings the account that is handed out. */
async function untilFirstAccount({
  patient,
  accounts,
  user: { userId },
}: Foundation): Promise<void> {
  if ((await patient.credentials.keys(userId)).length > 0) return;
  const deadline = performance.now() + FIRST_ACCOUNT_WITHIN_MS;
  while (accounts.of(userId).length === 0 && performance.now() < deadline) {
    await sleep(100);
    await accounts.load(patient.views);
  }
}

import { randomUUID } from "node:crypto";
import { accountId, type AccountId } from "../../domain/ids.ts";
import { StoreError } from "../../trading/store-error.ts";
import type { Keys } from "../keys.ts";
import { runScript, toHash } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { arriveWebhook } from "./arrive-webhook.ts";
import { changeWebhook } from "./change-webhook.ts";
import { encodeChange, type WebhookChange } from "./credential-record.ts";
import { pointWebhook } from "./point-webhook.ts";
import { removeWebhook } from "./remove-webhook.ts";
import { sendOffWebhook } from "./send-off-webhook.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const webhookScripts = [
  arriveWebhook,
  changeWebhook,
  pointWebhook,
  removeWebhook,
  sendOffWebhook,
];

export type Fields = Readonly<Record<string, string>>;

/** Where a webhook lies; `text` differs each time it comes to an account. */
interface WebhookPlace {
  readonly accountId: AccountId;
  readonly text: string;
}

/** How often a webhook may move away from under one change of it. */
const MOST_TRIES = 20;
/** How many places a process remembers. */
const MOST_PLACES = 10_000;

/**
 * The records of webhooks, by the hashes of their tokens. A record lies in the slot of its account,
 * and a place, in a slot of the hash, says which account that is. Only here are records written:
 * every change gives a record the next `version`, so that one which somebody has remembered can be
 * compared.
 *
 * A move to another account crosses slots, in this order:
 *
 * 1. The new account gets an `arrival`, which can be used once.
 * 2. The record gets the new account and the name of the arrival. From here on it has moved: no
 *    request is admitted by it where it lies.
 * 3. The record is written to the new account, and the arrival is used up in the same step.
 * 4. The place says the new account.
 * 5. The former record is removed.
 *
 * So there is at no moment a second record that lives. After a crash behind 2 or 3, the next request
 * or edit finds the record that has left, and does the rest (`#finishMove`), which is safe to be done
 * twice, late, and by many at once. Behind 1, nothing has moved, and an arrival is left that nobody
 * uses; behind 4, a record that has left, by which nobody is admitted. What is counted of the last
 * minute stays behind: at its new account a webhook begins with an empty window.
 */
export class WebhookRecords {
  readonly #redis: RedisClient;
  readonly #keys: Keys;
  /** May be out of date: what it says is tried, not believed. */
  readonly #places = new Map<string, WebhookPlace>();

  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** The record, the window of its requests and that of its exits. */
  keysOf(account: AccountId, hash: string): readonly string[] {
    const { webhook, webhookWindow, webhookExits } = this.#keys;
    return [webhook(account, hash), webhookWindow(account, hash), webhookExits(account, hash)];
  }

  /**
   * Tries where the webhook was last, and again where it has moved to since. An attempt answers
   * undefined when no living record is there, or one that has left; so does this, when it is nowhere.
   */
  async atItsPlace<Answer>(
    hash: string,
    attempt: (account: AccountId) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    let place = this.#places.get(hash);
    let tried: string | undefined;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      place ??= await this.#place(hash);
      if (place === undefined) return undefined;
      const { accountId: account, text } = place;
      const answer = await attempt(account);
      if (answer !== undefined) {
        this.#remember(hash, place);
        return answer;
      }
      const left = await run(this.#redis.hgetall(this.#keys.webhook(account, hash)));
      if (left["arrival"] !== undefined) await this.#finishMove(hash, account, left);
      else if (tried === text) return undefined;
      this.#places.delete(hash);
      place = undefined;
      tried = text;
    }
    throw new StoreError("The webhook moves all the time", { certainlyNotWritten: true });
  }

  /** The record before its place: a place without a record would be a lie. */
  async create(hash: string, account: AccountId, fields: object): Promise<void> {
    const record = { ...fields, version: 1 };
    await run(this.#redis.hset(this.#keys.webhook(account, hash), record));
    await run(this.#redis.set(this.#keys.webhookPlace(hash), `1 ${account}`));
  }

  async find(hash: string): Promise<Fields | undefined> {
    return await this.atItsPlace(hash, async (account) => {
      const fields = await run(this.#redis.hgetall(this.#keys.webhook(account, hash)));
      return fields["id"] === undefined ? undefined : fields;
    });
  }

  /** Answers the record as it is then; undefined when there is none. */
  async change(hash: string, change: WebhookChange): Promise<Fields | undefined> {
    return await this.atItsPlace(hash, async (account) => {
      const { accountId: to = account } = change;
      if (to !== account) return await this.#move(hash, account, { ...change, accountId: to });
      return await this.#write(hash, account, encodeChange(change));
    });
  }

  /** Afterwards nothing is left of it, wherever it was. */
  async remove(hash: string): Promise<void> {
    await this.atItsPlace(hash, async (account) => {
      const removed = await runScript(this.#redis, removeWebhook, this.keysOf(account, hash), [""]);
      return removed === 1 || undefined;
    });
    await run(this.#redis.del(this.#keys.webhookPlace(hash)));
  }

  /** Brings a webhook here from where stores up to form 2 have it. */
  async adopt(hash: string): Promise<void> {
    const former = this.#keys.formerWebhook(hash);
    const account = accountId((await run(this.#redis.hget(former, "accountId"))) ?? "");
    if (account === "") return;
    const arrival = await this.#prepareArrival(account);
    const touched = [former, this.#keys.webhookPlace(hash)];
    const reply = await runScript(this.#redis, sendOffWebhook, touched, [account, arrival]);
    const sent = toHash(reply);
    if (sent["arrival"] !== arrival) await this.#dropArrival(account, arrival);
    if (reply === 0) return await this.adopt(hash);
    if (sent["arrival"] === undefined) return;
    await this.#arrive(hash, sent);
    await run(this.#redis.del(former));
  }

  async #place(hash: string): Promise<WebhookPlace | undefined> {
    const text = await run(this.#redis.get(this.#keys.webhookPlace(hash)));
    if (text === null) return undefined;
    return { accountId: accountId(text.slice(text.indexOf(" ") + 1)), text };
  }

  #remember(hash: string, place: WebhookPlace): void {
    this.#places.set(hash, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_PLACES && oldest !== undefined) this.#places.delete(oldest);
  }

  async #write(
    hash: string,
    account: AccountId,
    { set, cleared }: ReturnType<typeof encodeChange>,
  ): Promise<Fields | undefined> {
    const args = [cleared.length, ...cleared, ...Object.entries(set).flat()];
    const record = [this.#keys.webhook(account, hash)];
    const fields = toHash(await runScript(this.#redis, changeWebhook, record, args));
    return fields["id"] === undefined ? undefined : fields;
  }

  async #move(
    hash: string,
    from: AccountId,
    change: WebhookChange & { readonly accountId: AccountId },
  ): Promise<Fields | undefined> {
    const arrival = await this.#prepareArrival(change.accountId);
    const { set, cleared } = encodeChange(change);
    const moved = await this.#write(hash, from, { set: { ...set, arrival }, cleared });
    if (moved === undefined) await this.#dropArrival(change.accountId, arrival);
    // It has moved by now. Should this fail, whoever finds it next goes on.
    else await this.#finishMove(hash, from, moved).catch(() => undefined);
    return moved;
  }

  /** Does what is left of a move; `fields` are the record's that has left the account. */
  async #finishMove(hash: string, from: AccountId, fields: Fields): Promise<void> {
    const { arrival = "" } = fields;
    await this.#arrive(hash, fields);
    await runScript(this.#redis, removeWebhook, this.keysOf(from, hash), [arrival]);
  }

  async #arrive(hash: string, { arrival = "", ...fields }: Fields): Promise<void> {
    const to = accountId(fields["accountId"] ?? "");
    const { version = "" } = fields;
    const written = [this.#keys.webhook(to, hash), this.#keys.webhookArrival(to, arrival)];
    await runScript(this.#redis, arriveWebhook, written, Object.entries(fields).flat());
    await runScript(this.#redis, pointWebhook, [this.#keys.webhookPlace(hash)], [version, to]);
  }

  async #prepareArrival(account: AccountId): Promise<string> {
    const arrival = randomUUID();
    await run(this.#redis.set(this.#keys.webhookArrival(account, arrival), "1"));
    return arrival;
  }

  async #dropArrival(account: AccountId, arrival: string): Promise<void> {
    await run(this.#redis.del(this.#keys.webhookArrival(account, arrival)));
  }
}

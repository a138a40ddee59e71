import type { AccountId, CredentialId, UserId } from "../../domain/ids.ts";
import type { KillSwitch } from "../../domain/limits.ts";
import { StoreError } from "../../trading/store-error.ts";
import { fenceAccount } from "../connections/fence-account.ts";
import type { Keys } from "../keys.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { setCopiedSwitch } from "./copy-user-switch.ts";
import { decodeKillSwitch } from "./kill-switch-record.ts";
import { rememberRevoked } from "./remember-revoked.ts";
import { setUserSwitch } from "./set-user-switch.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const userGuardScripts = [fenceAccount, rememberRevoked, setCopiedSwitch, setUserSwitch];

/** How long a dead key or token is remembered, so that its unsent intents are denied. */
export const REMEMBER_REVOKED_MS = 7 * 24 * 3_600_000;

/**
 * What stops the orders of a user on every account: the user's kill switch, and keys and tokens that
 * are dead. The user has it, and each account a copy, so that the write-ahead asks in one slot.
 *
 * Whatever changes is written to the user first, and then to the accounts; only when all of them have
 * it is anybody answered. A change that breaks off halfway is an error: a switch that goes on is on
 * where it was written, and one that goes off stays on where it was not; the other order would let
 * orders through on an account while the user's switch says on. Whoever asks before a repeat is
 * answered once the accounts that lack it have it: "on" is said of all of them or not at all.
 *
 * An account that comes later is noted with its user before the fence reads what the user has: either
 * who changes it finds the account, or the fence finds the change. Nobody sends before the fence. Of
 * several changes at once every account keeps the newest version, in whatever order they come.
 */
export class UserGuards {
  readonly #redis: RedisClient;
  readonly #keys: Keys;

  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** The switch as every account has it; those that lack it get it first. */
  async settledSwitch(user: UserId): Promise<KillSwitch> {
    const fields = await run(this.#redis.hgetall(this.#keys.killSwitch({ userId: user })));
    if (fields["everywhere"] !== fields["version"]) await this.#copySwitch(user, fields);
    return decodeKillSwitch(fields);
  }

  async setSwitch(user: UserId, active: boolean, reason = ""): Promise<void> {
    const key = this.#keys.killSwitch({ userId: user });
    const flag = active ? "1" : "0";
    const args = [flag, reason, Date.now()];
    const version = String(await runScript(this.#redis, setUserSwitch, [key], args));
    await halfway(this.#copySwitch(user, { version, active: flag, reason }));
  }

  /** From here on no intent of the key or token is begun, on any account. */
  async revoke(user: UserId, id: CredentialId): Promise<void> {
    const write = async (key: string) =>
      await runScript(this.#redis, rememberRevoked, [key], [id, REMEMBER_REVOKED_MS]);
    await write(this.#keys.revokedOf(user));
    const accounts = await this.#accountsOf(user);
    await halfway(askInParts(accounts, (account) => write(this.#keys.revokedHere(account))));
  }

  /**
   * Lets only this epoch, or a later one, write ahead for the user's accounts. False where one of them
   * has a later owner already.
   */
  async fence(user: UserId, accounts: readonly AccountId[], epoch: number): Promise<boolean> {
    if (accounts.length === 0) return true;
    const { killSwitch, fencedAccounts, revokedOf } = this.#keys;
    await run(this.#redis.sadd(fencedAccounts(user), ...accounts));
    const [{ version = "0", active = "0", reason = "" }, dead] = await run(
      Promise.all([
        this.#redis.hgetall(killSwitch({ userId: user })),
        this.#redis.zrange(revokedOf(user), "0", "-1", "WITHSCORES"),
      ]),
    );
    const args = [epoch, version, active, reason, REMEMBER_REVOKED_MS, ...dead.toReversed()];
    const fenced = await askInParts(accounts, async (account) => {
      const { epoch: epochOf, userSwitch, revokedHere } = this.#keys;
      const touched = [epochOf(account), userSwitch(account, user), revokedHere(account)];
      return await runScript(this.#redis, fenceAccount, touched, args);
    });
    return fenced.every((answer) => answer === 1);
  }

  async #copySwitch(user: UserId, fields: Readonly<Record<string, string>>): Promise<void> {
    const { version = "0", active = "0", reason = "" } = fields;
    const accounts = await this.#accountsOf(user);
    await askInParts(accounts, async (account) => {
      const key = this.#keys.userSwitch(account, user);
      await runScript(this.#redis, setCopiedSwitch, [key], [version, active, reason]);
    });
    const key = this.#keys.killSwitch({ userId: user });
    await run(this.#redis.hset(key, "everywhere", version));
  }

  async #accountsOf(user: UserId): Promise<readonly AccountId[]> {
    return (await run(this.#redis.smembers(this.#keys.fencedAccounts(user)))) as AccountId[];
  }
}

/** The user has the change by now: no failure of the rest may say that nothing was written. */
async function halfway(rest: Promise<unknown>): Promise<void> {
  try {
    await rest;
  } catch (error) {
    const message = "Not every account has it yet; ask for it again";
    throw new StoreError(message, { certainlyNotWritten: false, cause: error });
  }
}

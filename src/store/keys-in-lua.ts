import type { AccountId } from "../domain/ids.ts";
import { createKeys, type Keys } from "./keys.ts";

const KEYS = createKeys();
const ACCOUNT = "" as AccountId;
const START = KEYS.account(ACCOUNT);

/**
 * Lua that makes a key of an account, for scripts whose only key is `keys.account`: what a script can
 * make by itself need not be sent to it. Its ids are `lua`, too.
 */
export function keyInLua(of: (keys: Keys, account: AccountId) => string): string {
  const key = of(KEYS, ACCOUNT);
  if (!key.startsWith(START)) throw new Error(`${key} is not a key of one account`);
  return `KEYS[1] .. '${key.slice(START.length)}'`;
}

/** An id in a key that only the script knows, as an expression there. */
export const lua = <Id extends string>(expression: string): Id => `' .. ${expression} .. '` as Id;

/** An intent's key, by an expression for its id. */
export const intentKey = (id: string): string =>
  keyInLua((keys, account) => keys.intent(account, lua(id)));

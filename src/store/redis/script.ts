import { createHash } from "node:crypto";
import { Cluster, Command, type Redis } from "ioredis";
import { toStoreError, translateStoreErrors } from "../store-error.ts";
import { StoreError } from "../../trading/store-error.ts";
import { upToTag } from "../keys.ts";
import {
  type Carrier,
  carrierOf,
  mastersOf,
  onEachNode,
  type RedisClient,
  sendFollowed,
} from "./redis-client.ts";

/** One atomic step inside Redis. A script that says `now` has the store's clock, in Unix ms. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;

/** Scripts that may be sent past `maxmemory`, by their digests. */
const passing = new Map<string, string>();
/** The digests of those that may not. */
const asking = new Set<string>();

const digestOf = (lua: string): string => createHash("sha1").update(lua).digest("hex");

/** `asksForRoom`: it says itself which of its writes go past `maxmemory`. */
export function defineScript(lua: string, { asksForRoom = false } = {}): Script {
  const whole = /\bnow\b/.test(lua) ? CLOCK + lua : lua;
  const script = { lua: whole, sha1: digestOf(whole) };
  if (asksForRoom) asking.add(script.sha1);
  else passing.set(script.sha1, whole);
  return script;
}

/** Notes a script that is sent whole, as the library of queues sends its own. Later its digest alone is sent. */
export function noteWhole(lua: string): string {
  const sha1 = digestOf(lua);
  if (!asking.has(sha1)) passing.set(sha1, lua);
  return sha1;
}

/** The script of that digest, where all of it may go past `maxmemory`. */
export const passingScript = (sha1: string): string | undefined => passing.get(sha1);

/**
 * Lets the rest of a script write past `maxmemory`: Redis asks for room before a script's first write
 * only, and this one takes none. It deletes a key that never exists, in the slot of the script's first one.
 */
export const PAST_LIMIT = `
local first = KEYS[1] or ''
redis.call('DEL', (string.match(first, '^[^{]*{[^}]+}') or '{' .. first .. '}') .. ':never')
`;

/** Runs a script, whether Redis still has it or not. Throws `StoreError`. */
export async function runScript(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await send(redis, "evalsha", script.sha1, keys, args);
  } catch (cause) {
    const error = toStoreError(cause);
    // A restarted Redis has forgotten it, and has done nothing: it may be sent whole.
    if (!isForgotten(error)) throw error;
    const whole = send(redis, "eval", script.lua, keys, args);
    return await translateStoreErrors(Promise.resolve(whole));
  }
}

/**
 * Sends EVALSHA and nothing else, so that the command keeps its place before the next one on the
 * connection. A script that Redis has forgotten is an error: certainly, nothing was written.
 */
export async function runScriptInOrder(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const command = commandFor(redis, "evalsha", script.sha1, keys, args);
  try {
    return await sendFollowed(redis, command);
  } catch (error) {
    const { message, certainlyNotWritten, why, cause } = toStoreError(error);
    const carrier = carrierOf(command);
    const isCertain = certainlyNotWritten || carrier === "never written";
    const failed = new StoreError(message, { certainlyNotWritten: isCertain, why, cause });
    lostOn.set(failed, carrier);
    throw failed;
  }
}

const lostOn = new WeakMap<StoreError, Carrier>();

/** Where the script was written whose `runScriptInOrder` has failed so. */
export const carrierOfLost = (error: StoreError): Carrier => lostOn.get(error);

const AS_TEXT = { replyEncoding: "utf8" } as const;

/** What `redis.evalsha` does, without what it looks up for each command of any kind. */
const send = (redis: RedisClient, ...of: CommandParts): unknown =>
  redis.sendCommand(commandFor(redis, ...of));

type CommandParts = readonly [
  name: "evalsha" | "eval",
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
];

function commandFor(redis: RedisClient, ...[name, script, keys, args]: CommandParts): Command {
  const [first] = keys;
  const named = redis instanceof Cluster ? [...keys, ...besides(first)] : keys;
  return new Command(name, [script, named.length, ...named, ...args], AS_TEXT);
}

/**
 * A key that never exists, where the other one lies. While a slot moves from one node to another, each
 * has a part of its keys, and a script must not run on either. With this key, which no node has, a
 * Cluster refuses it (TRYAGAIN) until the slot has moved; with keys of its own alone it may run. A key
 * without a tag lies alone.
 */
function besides(key = ""): readonly string[] {
  const tagged = upToTag(key);
  return tagged === undefined ? [] : [`${tagged}:never`];
}

/** Redis did not know the script, and has written nothing. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof StoreError && error.message.includes("NOSCRIPT");

/** Loads the scripts now, and again each time the connection becomes ready. */
export async function loadScripts(redis: RedisClient, scripts: readonly Script[]): Promise<void> {
  keepScripts(redis, scripts);
  await Promise.all(mastersOf(redis).map((node) => load(node, scripts)));
}

/**
 * Loads the scripts again soon after each time the connection becomes ready: a restarted Redis has
 * forgotten them. What was waiting for the connection is sent before that.
 */
export function keepScripts(redis: RedisClient, scripts: readonly Script[]): void {
  onEachNode(redis, (node) => {
    node.on("ready", () => {
      load(node, scripts).catch(() => undefined); // It broke again; the next one loads them.
    });
  });
}

/**
 * Loads the scripts that Redis has lost: they can be flushed while the connection stays up.
 * Throws `StoreError`.
 */
export async function requireScripts(
  redis: RedisClient,
  scripts: readonly Script[],
): Promise<void> {
  const digests = scripts.map(({ sha1 }) => sha1);
  await Promise.all(mastersOf(redis).map(requireOn));

  async function requireOn(node: Redis): Promise<void> {
    const known = (await translateStoreErrors(node.script("EXISTS", ...digests))) as number[];
    const forgotten = scripts.filter((_, at) => known[at] !== 1);
    await translateStoreErrors(load(node, forgotten));
  }
}

async function load(redis: Redis, scripts: readonly Script[]): Promise<void> {
  await Promise.all(scripts.map(({ lua }) => redis.script("LOAD", lua)));
}

/** Turns the flat list that a script answers for a hash into an object. */
export function toHash(reply: unknown): Readonly<Record<string, string>> {
  const hash: Record<string, string> = {};
  if (!Array.isArray(reply)) return hash;
  for (let index = 0; index + 1 < reply.length; index += 2) {
    hash[String(reply[index])] = String(reply[index + 1]);
  }
  return hash;
}

/** A Lua table of the names that are true; the others are absent, which is false in Lua. */
export function luaSet<Name extends string>(
  table: Readonly<Partial<Record<Name, boolean>>>,
  spelt: (name: Name) => string = (name) => name,
): string {
  const names = Object.keys(table) as Name[];
  return luaNames(names.filter((name) => table[name]).map(spelt));
}

/** A Lua table in which each of the names is true. */
export const luaNames = (names: readonly string[]): string =>
  `{ ${names.map((name) => `${name} = true`).join(", ")} }`;

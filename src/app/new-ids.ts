import { hash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import {
  type AccountGroupId,
  accountGroupId,
  type AccountId,
  type ClOrdId,
  type CopyGroupId,
  copyGroupId,
  intentId,
  type IntentId,
  type StrategyId,
  strategyId,
} from "../domain/ids.ts";
import type { DestinationId } from "../domain/notify/destination.ts";
import type { BotId } from "../trading/answering/ports.ts";
import type { PlanIntentId } from "../trading/lane/exits/plan-reads.ts";
import type { CopyId } from "../trading/copying/plan-copies.ts";

/** 106 random bits: short enough for every broker's client identifier, with its suffixes. */
export function newIntentId(): IntentId {
  return toIntentId(randomHex());
}

/** Of the form of every intent's id, so that brokers and reconciliation know it for ours. */
export const copyIdOf: CopyId = (group, follower, event) =>
  derivedId(`${group} ${follower} ${event}`);

/** Of the form of every intent's id; the same in every process. */
export function slotIdOf(strategy: StrategyId, slotAt: number): IntentId {
  return derivedId(`${strategy} ${slotAt}`);
}

/** Of a guard's demand on an account, by the count of its attempts; the same in every process. */
export const guardIntentIdOf = (account: AccountId, key: string, nth: number): IntentId =>
  derivedId(`guard ${account} ${key} ${nth}`);

/** Of an order whose time is over, by the count of its attempts; the same in every process. */
export const timeoutIntentIdOf = (account: AccountId, order: ClOrdId, nth: number): IntentId =>
  derivedId(`timeout ${account} ${order} ${nth}`);

/** Of what an exit plan asks for itself, in its order; the same in every process. */
export const planIntentIdOf: PlanIntentId = (plan, what, nth) =>
  derivedId(`plan ${plan} ${what} ${nth}`);

export function newStrategyId(): StrategyId {
  return strategyId(`st_${randomHex().slice(0, 12)}`);
}

export function newCopyGroupId(): CopyGroupId {
  return copyGroupId(`cg_${randomHex().slice(0, 12)}`);
}

export function newAccountGroupId(): AccountGroupId {
  return accountGroupId(`ag_${randomHex().slice(0, 12)}`);
}

/** Of what one account of a group is asked for, by what was asked of the group: the same each time. */
export const memberIdOf = (asked: IntentId, account: AccountId): IntentId =>
  derivedId(`member ${asked} ${account}`);

export function newDestinationId(): DestinationId {
  return `ds_${randomHex().slice(0, 12)}` as DestinationId;
}

/**
 * Of the event that one line of a stream is told as: the same in every process. It begins with the line's
 * own id, so that events sort as they were noted.
 */
export function eventIdOf(stream: string, line: string): string {
  const [ms = "0", seq = "0"] = line.split("-");
  const place = `${base36(ms, 9)}${base36(seq, 4)}`;
  return `ev_${place}${hash("sha256", `${stream} ${line}`, "hex").slice(0, 15)}`;
}

const base36 = (digits: string, length: number): string =>
  Number(digits).toString(36).padStart(length, "0");

/** Standard Webhooks: 24 to 64 random bytes. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** For a person to type; it holds for minutes. */
export function newLinkCode(): { readonly code: string; readonly hash: string } {
  const code = randomBytes(10).toString("base64url").replaceAll(/[-_]/g, "x");
  return { code, hash: linkHashOf(code) };
}

const linkHashOf = (code: string): string => hash("sha256", code, "hex");

export function isLinkHashOf(code: string, known: string): boolean {
  const [one, other] = [Buffer.from(linkHashOf(code)), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** What a button of a bot sends back: 24 characters, of which nobody can guess any. */
export const newNonce = (): string => randomBytes(18).toString("base64url");

/** Of a token's number alone, anybody could keep another one's bot. */
export const botIdOf = (token: string): BotId => hash("sha256", token, "hex").slice(0, 32) as BotId;

const derivedId = (event: string): IntentId => toIntentId(hash("sha256", event, "hex"));

const toIntentId = (hex: string): IntentId => intentId(`i${hex.slice(0, 28)}`);

/** Node keeps UUIDs in store, and asks the system for random bytes only now and then. */
const randomHex = (): string => randomUUID().replaceAll("-", "");

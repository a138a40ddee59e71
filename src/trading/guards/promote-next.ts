import type { AccountId } from "../../domain/ids.ts";
import type { GuardStore } from "./guard-store.ts";
import { noteDecision } from "./guarded-account.ts";
import type { Kept } from "./kept-account.ts";
import type { Heard, ReadFacts } from "./read-facts.ts";
import { stateFor } from "./state-for.ts";

interface PromoteDeps {
  readonly store: Pick<GuardStore, "write">;
  readonly readFacts: ReadFacts;
}

/**
 * What was loosened of hard rules counts from the next trading day on. Answers whether it was time: then
 * the account is to be read again. Throws `StoreError`.
 */
export async function promoteNext(
  id: AccountId,
  { account, book, epoch }: Kept,
  heard: Heard,
  { store, readFacts }: PromoteDeps,
): Promise<boolean> {
  const { next, version, lock, settings } = account.stored;
  if (next === undefined || book === undefined) return false;
  const { now, tradingDay } = readFacts(book, settings, heard);
  if (now < next.from) return false;
  const { state: seen } = account;
  const stored = { ...account.stored, ...(seen !== undefined && { state: seen }) };
  const state = stateFor(next.settings, stored, { at: now, tradingDay, balance: undefined });
  const reason = "What was loosened of hard rules counts from this trading day on";
  const changed = { at: now, what: "changed" as const, reason };
  await store.write(
    id,
    { epoch, version, lockId: lock?.id },
    {
      settings: next.settings,
      next: null,
      ...(state !== undefined && { state }),
      decisions: [noteDecision(id, changed, next)],
    },
  );
  return true;
}

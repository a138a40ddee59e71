import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Forbids } from "../../domain/guards/schedule-rule.ts";
import type { GuardDecision } from "../../domain/guards/verdict.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { Closing } from "./close-account.ts";
import type { GuardedAccount } from "./guarded-account.ts";
import { isBehind } from "./kept-account.ts";
import { type CalendarsByName, isSchedule, type Schedules } from "./schedules.ts";
import { stopsOf } from "./read-facts.ts";

export interface ClosingsOf {
  readonly kept: {
    readonly account: GuardedAccount;
    readonly book: AccountBook | undefined;
    /** Undefined while they cannot be read. */
    readonly calendars: CalendarsByName | undefined;
    readonly working: readonly OrderReport[] | undefined;
    readonly judgedUntil: number;
    readonly reported: number;
    readonly readUpTo: number;
    readonly missed: readonly Closing[] | undefined;
    readonly closings: readonly Closing[];
    /** What a rule that only tells would have done, by its demand. */
    readonly told: Set<string>;
  };
  readonly schedules: Schedules;
  readonly note: (decision: GuardDecision) => void;
}

/** What an account must be brought to now: by its lock, by the clock, and while nobody can judge it. */
export function closingsOf(of: ClosingsOf): {
  readonly closings: readonly Closing[];
  /** What was due while nobody looked, until it is seen to be done; looked for once. */
  readonly missed: readonly Closing[] | undefined;
} {
  const { account } = of.kept;
  // What is locked is closed, whatever else cannot be read.
  if (account.facts === undefined) return { closings: byLock(account), missed: of.kept.missed };
  // Before all fills are read, what is held is not known.
  const missed = of.kept.missed ?? (isBehind(of.kept) ? undefined : missedBy(of));
  const due = [...byClock(of), ...(missed ?? [])];
  return { closings: [...byLock(account), ...distinct(due), ...whileBlind(of)], missed };
}

const NO_CALENDARS: CalendarsByName = new Map();

function byLock({ storedLock: lock }: GuardedAccount): readonly Closing[] {
  if (lock === undefined) return [];
  const { id: key, then, reason, ruleId } = lock;
  const what = then === "flatten" ? "flatten" : "cancelEntries";
  return [{ key, what, reason, ...(ruleId !== undefined && { ruleId }) }];
}

/** While a schedule forbids a position, it is closed again however often somebody opens it. */
function byClock({ kept, schedules, note }: ClosingsOf): readonly Closing[] {
  const { account, closings } = kept;
  const at = account.facts?.now ?? 0;
  const contracts = contractsOf(kept);
  // What is being closed stays demanded until it is seen that nothing is left.
  for (const { contract } of closings) if (contract !== undefined) contracts.add(contract);
  return account.stored.settings.rules.flatMap((rule) => {
    if (!isSchedule(rule)) return [];
    return [...contracts].flatMap((contract) => {
      if (contract === undefined) return [];
      const found = schedules.restriction(kept.calendars ?? NO_CALENDARS, rule, contract, at);
      if (found === undefined || found.forbids === "entries") return [];
      const key = `${rule.id} ${found.since} ${contract}`;
      const closing = demand(key, found.forbids, {
        contract,
        reason: found.reason,
        ruleId: rule.id,
      });
      if (rule.mode === "on") return [closing];
      if (!kept.told.has(key)) {
        kept.told.add(key);
        note({ at, what: "wouldFlatten", ruleId: rule.id, reason: found.reason });
      }
      return [];
    });
  });
}

const demand = (
  key: string,
  forbids: Exclude<Forbids, "entries">,
  rest: Omit<Closing, "key" | "what">,
): Closing => ({
  key: `${key} ${forbids}`,
  what: forbids === "positions" ? "flatten" : "cancelEntries",
  ...rest,
});

/** A flatten that was due after the account was judged last, and before now. */
function missedBy({ kept, schedules }: ClosingsOf): readonly Closing[] {
  const { account } = kept;
  const { settings } = account.stored;
  const at = account.facts?.now ?? 0;
  const after = kept.judgedUntil;
  if (after === 0) return [];
  return settings.rules.flatMap((rule) => {
    if (!isSchedule(rule) || rule.mode !== "on") return [];
    return [...contractsOf(kept)].flatMap((contract) => {
      const dueAt = contract && schedules.missed(NO_CALENDARS, rule, contract, { after, at });
      if (contract === undefined || dueAt === undefined) return [];
      const when = new Date(dueAt).toISOString();
      const reason = `It had to be flat at ${when}, when nobody was there to see to it`;
      const key = `${rule.id} ${dueAt} ${contract} missed`;
      return [demand(key, "positions", { contract, reason, ruleId: rule.id })];
    });
  });
}

/** Only part of it, as its user has set it: where all of it is to be closed, a lock says so. */
function whileBlind({ kept: { account, book, working } }: ClosingsOf): readonly Closing[] {
  const { blindForMs, blind, facts, stored } = account;
  const { then, afterSeconds } = stored.settings.whenBlind;
  if (blind === undefined || facts === undefined || then !== "flattenUnprotected") return [];
  if ((blindForMs ?? 0) < afterSeconds * 1_000) return [];
  const reason = `For ${afterSeconds} s it could not be judged: ${blind}`;
  const key = `blind ${Math.floor(facts.now / BLIND_KEY_MS)}`;
  return Object.values(book?.positions ?? {}).flatMap(({ position: { contract, netQty } }) => {
    const stops = stopsOf(contract, netQty, working ?? []);
    const covered = stops.reduce((qty, { leavesQty }) => qty + leavesQty, 0);
    if (covered >= Math.abs(netQty)) return [];
    return [{ key: `${key} ${contract}`, what: "flatten" as const, contract, reason }];
  });
}

/** A process that takes over within that goes on with the same demand. */
const BLIND_KEY_MS = 24 * 3_600_000;

function contractsOf({
  book,
  working,
}: Pick<ClosingsOf["kept"], "book" | "working">): Set<ContractCode | undefined> {
  const held = Object.keys(book?.positions ?? {}) as ContractCode[];
  const rests = (working ?? []).map(({ contract }) => contract);
  return new Set([...held, ...rests]);
}

/** One demand a contract is enough, the gravest: a flatten cancels what rests, too. */
function distinct(closings: readonly Closing[]): readonly Closing[] {
  return closings.filter(
    ({ what, contract, key }) =>
      what === "flatten" ||
      !closings.some(
        (one) => one.what === "flatten" && one.contract === contract && one.key !== key,
      ),
  );
}

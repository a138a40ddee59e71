import { accountDayAt, holdsUntil, nameOf } from "../../domain/calendar/account-day.ts";
import type { ConnectionStatus } from "../../domain/connection-status.ts";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import { lockedBy } from "../../domain/guards/decide.ts";
import { judge } from "../../domain/guards/judge.ts";
import { addLock, endLock } from "../../domain/guards/locks.ts";
import { loosenedByBalance, loosens } from "../../domain/guards/loosens.ts";
import { GUARD_DEFAULTS, type GuardRule, type GuardSettings } from "../../domain/guards/rule.ts";
import { untilTomorrow } from "../../domain/guards/until-tomorrow.ts";
import type { GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import { worthSaid } from "../money/account-worth.ts";
import type { Balances, BrokerGuards, Ledger, Quotes } from "../money/ports.ts";
import { type Caller, mayLoosen } from "../people/caller.ts";
import { BrokerReadError } from "../ports.ts";
import { readIdCursor, writeIdCursor } from "../reads/page-cursor.ts";
import type { GuardStore, GuardWrite, StoredGuards } from "./guard-store.ts";
import type { GuardsChange, GuardsView, GuardUses } from "./guard-uses.ts";
import { noteDecision } from "./guarded-account.ts";
import { stateFor } from "./state-for.ts";
import type { ReadFacts } from "./read-facts.ts";
import type { createReadOthers } from "./read-others.ts";

export interface ManageGuardsDeps {
  readonly accounts: AccountDirectory;
  readonly guardStore: GuardStore;
  readonly ledger: Pick<Ledger, "book">;
  readonly quotes: Pick<Quotes, "of">;
  readonly balances: Pick<Balances, "of">;
  readonly readFacts: ReadFacts;
  readonly othersOf: ReturnType<typeof createReadOthers>;
  /** Throws `BrokerReadError`. */
  readonly askBrokerGuards: (
    connection: ConnectionId,
    account: AccountId,
  ) => Promise<BrokerGuards | undefined>;
  /** DISCONNECTED where no process owns it. */
  readonly statusOf: (connection: ConnectionId) => ConnectionStatus | Promise<ConnectionStatus>;
  readonly newLockId: () => string;
  readonly now: () => number;
}

/** A person's change is made anew where the owner has written meanwhile, so often. */
const TRIES = 8;
const LIST = "guard-history";
const NO_RULES: GuardSettings = { ...GUARD_DEFAULTS, rules: [] };
const NONE: StoredGuards = { version: "", settings: NO_RULES };

/** What a person or a program may ask of the guards of its user's accounts. */
export function createGuardUses(deps: ManageGuardsDeps): GuardUses {
  const { accounts, guardStore: guards, newLockId, now } = deps;

  return {
    readGuards: async ({ userId }, id) => await view(await accounts.require(userId, id)),

    changeGuards: async (caller, id, change) => {
      const account = await accounts.require(caller.userId, id);
      for (const other of change.settings.rules.flatMap(togetherOf)) {
        await accounts.require(caller.userId, other);
      }
      await write(id, async (stored) => await changed(caller, account, stored, change));
      return await view(account);
    },

    lockAccount: async ({ userId, credentialId }, id, request) => {
      const account = await accounts.require(userId, id);
      const lockId = newLockId();
      await write(id, async (stored) => {
        const at = now();
        const { reason = "Somebody asked for it", until = holdsUntil(accounts.clocksOf(id), at) } =
          request;
        const { lock, then } = request;
        const asked: GuardLock = { id: lockId, at, until, lock, then, reason };
        const state = stateOf(id, stored, at);
        const held = addLock({ state, lock: stored.lock }, asked);
        if (held.lock === stored.lock && held.state === state) return undefined;
        const decision = { at, what: "locked" as const, reason, by: credentialId };
        return { ...writeOf(stored, held), decisions: [{ decision, resetsAt: until }] };
      });
      return await view(account);
    },

    unlockAccount: async ({ userId, credentialId }, id, { reason }) => {
      const account = await accounts.require(userId, id);
      await write(id, async (stored) => {
        const { lock } = stored;
        if (lock === undefined) throw errors.accountNotLocked();
        if (lock.lock === "hard") {
          throw errors.lockIsHard(
            lock.until === undefined ? "it is changed" : new Date(lock.until).toISOString(),
          );
        }
        const at = now();
        const held = endLock({ state: stateOf(id, stored, at), lock });
        const { ruleId } = lock;
        const decision: GuardDecision = {
          at,
          what: "unlocked",
          reason,
          by: credentialId,
          ...(ruleId !== undefined && { ruleId }),
        };
        return { ...writeOf(stored, held), decisions: [{ decision }] };
      });
      return await view(account);
    },

    readGuardHistory: async ({ userId }, id, { limit, cursor }) => {
      await accounts.require(userId, id);
      const before = cursor === undefined ? undefined : readIdCursor(LIST, cursor);
      const { items, next } = await guards.history(id, {
        limit,
        ...(before !== undefined && { before }),
      });
      return { items, ...(next !== undefined && { nextCursor: writeIdCursor(LIST, next) }) };
    },
  };

  /** Makes a change from what stands, again where somebody else has written meanwhile. */
  async function write(
    id: AccountId,
    make: (stored: StoredGuards) => Promise<PersonsWrite | undefined>,
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = (await guards.load(id)) ?? NONE;
      const made = await make(stored);
      if (made === undefined) return;
      const { decisions, ...parts } = made;
      const { version, lock, state } = stored;
      const settings = parts.settings ?? stored.settings;
      const answer = await guards.write(
        id,
        { version, lockId: lock?.id, state },
        {
          ...parts,
          settings,
          // What was seen by other settings, or under another lock, is not shown as being of these.
          sight: null,
          decisions: decisions.map(({ decision, ...on }) =>
            noteDecision(id, decision, { settings, ...on }),
          ),
        },
      );
      if (answer === "written") return;
    }
    throw errors.guardsChanged();
  }

  async function changed(
    caller: Caller,
    account: StoredAccount,
    stored: StoredGuards,
    { settings: wanted, balance, version, locksNow }: GuardsChange,
  ): Promise<PersonsWrite> {
    if (version !== undefined && version !== stored.version) throw errors.guardsChanged();
    const loosened = loosens(stored.settings, wanted);
    const byBalance = loosenedByBalance(stored.settings, stored.state?.balance, balance);
    if (loosened.rules.length + byBalance.length > 0 && !mayLoosen(caller)) {
      throw errors.insufficientScope("manage", "Nothing was changed: loosening a guard");
    }
    if (await isWorthKnown(account, stored)) requireSoft(byBalance);
    const at = now();
    const clocks = accounts.clocksOf(account.accountId);
    const waits = loosened.rules.some(({ lock }) => lock === "hard");
    const settings = waits ? untilTomorrow(stored.settings, wanted, loosened) : wanted;
    const state = stateFor(settings, stored, {
      at,
      tradingDay: nameOf(accountDayAt(clocks, at)),
      balance,
    });
    if (locksNow !== true && stored.lock === undefined) {
      await requireRoom(account, settings, state);
    }
    const reason = waits
      ? "What is loosened of hard rules counts from the next trading day on"
      : setWords(settings.rules.length);
    const decision = { at, what: "changed" as const, reason, by: caller.credentialId };
    return {
      settings,
      next: waits ? { settings: wanted, from: holdsUntil(clocks, at) } : null,
      ...(state !== undefined && { state }),
      decisions: [{ decision }],
    };
  }

  /** Its broker tells it, or somebody has: a hard rule counts from that, and not from another word. */
  async function isWorthKnown(
    { accountId }: StoredAccount,
    { state, settings }: StoredGuards,
  ): Promise<boolean> {
    if (state?.balance !== undefined) return true;
    const balances = await deps.balances.of(accountId);
    return balances.some(
      (said) => said.currency === settings.currency && worthSaid(said, false) !== undefined,
    );
  }

  /** A rule that is switched on late judges the whole day: it is said before, not after. */
  async function requireRoom(
    { accountId, connectionId }: StoredAccount,
    settings: GuardSettings,
    state: GuardState | undefined,
  ): Promise<void> {
    const told = await deps.quotes.of(connectionId);
    const facts = deps.readFacts(await deps.ledger.book(accountId), settings, {
      clocks: accounts.clocksOf(accountId),
      quote: (contract) => told.quotes.get(contract),
      working: undefined,
      balances: await deps.balances.of(accountId),
      brokerGuards: undefined,
      others: await deps.othersOf(accountId, settings),
    });
    const breached = judge(settings, state, facts).verdicts.filter(
      ({ level, isShadow }) => level === "breach" && !isShadow,
    );
    if (breached.length === 0) return;
    throw errors.wouldLockNow(
      breached.map(({ ruleId, reason }) => {
        const nth = settings.rules.findIndex(({ id }) => id === ruleId);
        return { path: `rules.${nth}`, message: reason };
      }),
    );
  }

  async function view({ accountId, connectionId }: StoredAccount): Promise<GuardsView> {
    const [stored = NONE, broker, status] = await Promise.all([
      guards.load(accountId),
      brokerGuardsOf(connectionId, accountId),
      deps.statusOf(connectionId),
    ]);
    const { version, settings, next, lock, sight, state } = stored;
    const asOf = now();
    const today = accounts.dayAt(accountId, asOf);
    const unseen = unseenSince(stored, status, asOf);
    const byLook = lock === undefined ? sight?.entriesRefused : lockedBy(lock);
    const entriesRefused = lock === undefined && unseen !== undefined ? unseen : byLook?.reason;
    const blind = unseen === undefined ? sight?.blind : await blindBy(accountId, stored, unseen);
    return {
      version,
      settings,
      ...(next !== undefined && { next }),
      verdicts: (sight?.verdicts ?? []).map((one) => notSeen(one, unseen)),
      ...(sight !== undefined && { judgedAt: sight.at }),
      ...(entriesRefused !== undefined && { entriesRefused }),
      ...(lock !== undefined && { lock }),
      ...(blind !== undefined && { blind }),
      upcoming: sight?.upcoming ?? {},
      ...(state?.balance !== undefined && { balance: state.balance }),
      tradingDay: nameOf(today),
      dayEndsAt: today.endsAt,
      ...(broker !== undefined && { broker }),
      asOf,
    };
  }

  /** An open position cannot be judged while its owner looks at nothing. */
  async function blindBy(id: AccountId, { sight }: StoredGuards, reason: string) {
    if (sight === undefined) return undefined;
    const { positions } = await deps.ledger.book(id);
    if (Object.keys(positions).length === 0) return undefined;
    return { since: sight.blind?.since ?? sight.at, reason };
  }

  /** What its owner cannot be asked for now is not shown. */
  async function brokerGuardsOf(connection: ConnectionId, account: AccountId) {
    try {
      return await deps.askBrokerGuards(connection, account);
    } catch (error) {
      if (error instanceof BrokerReadError) return undefined;
      throw error;
    }
  }

  function stateOf(id: AccountId, { state }: StoredGuards, at: number): GuardState {
    return state ?? { tradingDay: nameOf(accounts.dayAt(id, at)), rules: {}, judgedAt: at };
  }
}

interface PersonsWrite extends Omit<GuardWrite, "decisions" | "sight"> {
  readonly decisions: readonly { readonly decision: GuardDecision; readonly resetsAt?: number }[];
}

const UNJUDGED = "Nobody has judged these guards yet: no entry passes until its owner has";

const setWords = (rules: number): string =>
  rules === 1 ? "One rule is set" : `${rules} rules are set`;

/** What an account was worth cannot wait for the next trading day. */
function requireSoft(loosened: readonly GuardRule[]): void {
  const hard = loosened.find(({ lock }) => lock === "hard");
  if (hard === undefined) return;
  const message = `can only be lowered while rule "${hard.id}" is hard, which would hold less`;
  throw errors.validationFailed([{ path: "balance", message }]);
}

/** What shows the same is stored anew each half minute. */
const SEEN_WITHIN_MS = 45_000;
const NOT_SEEN =
  "The owner of these guards has not judged them for a while: no entry passes until it has again";

/** Why what was seen last may be otherwise by now, in words; undefined while an owner judges it. */
function unseenSince(
  { version, settings, sight }: StoredGuards,
  status: ConnectionStatus,
  asOf: number,
): string | undefined {
  if (sight === undefined) {
    return version !== "" && settings.rules.length > 0 ? UNJUDGED : undefined;
  }
  if (status !== "CONNECTED") {
    return `The connection to the broker is ${status}: its guards are not judged, and no entry passes`;
  }
  return asOf - sight.at > SEEN_WITHIN_MS ? NOT_SEEN : undefined;
}

/** Its figures are shown with their age, and say nothing of now. */
const notSeen = (verdict: Verdict, unseen: string | undefined): Verdict =>
  unseen === undefined
    ? verdict
    : { ...verdict, level: "unknown", reason: `${unseen}. At the last look: ${verdict.reason}` };

const togetherOf = (rule: GuardRule): readonly AccountId[] =>
  "together" in rule ? (rule.together ?? []) : [];

function writeOf(
  { lock: stood }: StoredGuards,
  { state, lock }: { readonly state: GuardState; readonly lock: GuardLock | undefined },
): Pick<GuardWrite, "state" | "lock"> {
  return { state, ...(lock !== stood && { lock: lock ?? null }) };
}

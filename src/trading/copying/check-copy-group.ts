import {
  type CopyGroup,
  type CopyGroupTerms,
  type CopySize,
  type FollowerTerms,
  MAX_COPY_GROUPS,
  MAX_FOLLOWERS,
} from "../../domain/copying/copy-group.ts";
import type { IdentityOf } from "../../domain/account-identity.ts";
import type { IsOneMarket } from "../../domain/contracts/product.ts";
import { type CopyConflict, findConflict } from "../../domain/copying/copy-conflicts.ts";
import { crossingInWords, crossingsOf } from "../../domain/copying/copy-markets.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors, type GatewayError } from "../../errors.ts";
import {
  type OptionReading,
  readAllowedSymbols,
  readMultiplier,
  readSymbolMap,
} from "../alerts/check-webhook-options.ts";
import type { FollowerChange } from "./copy-uses.ts";

/** What a new group does where its user says nothing. */
export const DEFAULT_GROUP: Omit<CopyGroupTerms, "name"> = {
  mode: "fills",
  drift: "alarm",
  driftAfterSeconds: 10,
  maxAgeSeconds: 30,
  stopAfterRejects: 3,
  paused: false,
};

/** One contract for one, rounded down: a multiplier is a cap on what somebody else's account does. */
const ONE_TO_ONE = { by: "multiplier", multiplier: "1", rounding: "down" } as const;

const DEFAULT_FOLLOWER: Omit<FollowerTerms, "accountId"> = {
  size: ONE_TO_ONE,
  invert: false,
  symbolMap: {},
  enabled: true,
};

/** A follower's terms once a change is made to those before; what is wrong is added to the problems. */
export function readTerms(
  accountId: AccountId,
  change: FollowerChange,
  reading: OptionReading,
  before: FollowerTerms = { accountId, ...DEFAULT_FOLLOWER },
): FollowerTerms {
  const { invert = before.invert, enabled = before.enabled, symbolMap } = change;
  const allowedSymbols = changed(before.allowedSymbols, change.allowedSymbols, (symbols) =>
    readAllowedSymbols(symbols, reading),
  );
  const maxQty = changed(before.maxQty, change.maxQty, (qty) => qty);
  return {
    accountId,
    size: readSize(change, before.size, reading),
    invert,
    symbolMap: symbolMap === undefined ? before.symbolMap : readSymbolMap(symbolMap, reading),
    ...(allowedSymbols !== undefined && { allowedSymbols }),
    ...(maxQty !== undefined && { maxQty }),
    enabled,
  };
}

/** Null clears it, and what is not given stays. */
function changed<Value>(
  before: Value | undefined,
  given: Value | null | undefined,
  read: (value: Value) => Value,
): Value | undefined {
  if (given === undefined) return before;
  return given === null ? undefined : read(given);
}

function readSize(
  { multiplier, rounding, fixedQty }: FollowerChange,
  before: CopySize,
  reading: OptionReading,
): CopySize {
  const { problems, at = "" } = reading;
  const isFixed = fixedQty !== undefined || (before.by === "fixed" && multiplier === undefined);
  if (fixedQty !== undefined && multiplier !== undefined) {
    problems.push({ path: `${at}fixedQty`, message: "must not be given beside a multiplier" });
  } else if (isFixed && rounding !== undefined) {
    problems.push({ path: `${at}rounding`, message: "is for a multiplier only" });
  }
  if (fixedQty !== undefined) return { by: "fixed", qty: fixedQty };
  if (isFixed) return before;
  const kept = before.by === "multiplier" ? before : ONE_TO_ONE;
  return {
    by: "multiplier",
    multiplier: multiplier === undefined ? kept.multiplier : readMultiplier(multiplier, reading),
    rounding: rounding ?? kept.rounding,
  };
}

/** Throws what keeps a group from being as it is wanted, beside the groups that there are. */
export function requireSound(
  wanted: CopyGroup,
  groups: readonly CopyGroup[],
  identityOf: IdentityOf,
): void {
  const { groupId, userId, mode, followers } = wanted;
  const others = groups.filter((group) => group.userId === userId && group.groupId !== groupId);
  if (others.length >= MAX_COPY_GROUPS) {
    throw errors.tooMany("TOO_MANY_COPY_GROUPS", MAX_COPY_GROUPS);
  }
  if (followers.length > MAX_FOLLOWERS) {
    throw refused("followers", `must be at most ${MAX_FOLLOWERS} accounts`);
  }
  const inverted = mode === "orders" ? followers.find(({ invert }) => invert) : undefined;
  if (inverted !== undefined) {
    const why = `${inverted.accountId} is inverted, and a level is no level for the other side`;
    throw refused("mode", `must be fills: ${why}`);
  }
  const conflict = findConflict(wanted, groups, identityOf);
  if (conflict !== undefined) throw toError(conflict, wanted, groups);
}

/**
 * Throws where a follower of orders would trade another market than its leader. One that did so before is
 * not asked: it must be possible to pause such a group.
 */
export function requireOneMarket(
  before: CopyGroup | undefined,
  after: CopyGroup,
  isOneMarket: IsOneMarket,
): void {
  const known = before === undefined ? [] : crossingsOf(before, isOneMarket);
  const crossing = crossingsOf(after, isOneMarket).find(
    ({ account, from, to }) =>
      !known.some((one) => one.account === account && one.from === from && one.to === to),
  );
  if (crossing === undefined) return;
  throw refused("mode", `must be fills for ${crossing.account}: ${crossingInWords(crossing)}`);
}

function toError(
  { account, kind, groupId }: CopyConflict,
  { userId, followers, leader }: CopyGroup,
  groups: readonly CopyGroup[],
): GatewayError {
  const found = groups.find((group) => group.groupId === groupId);
  const isTheirs = found !== undefined && found.userId !== userId;
  const other = isTheirs
    ? "a copy group of another user, by another login"
    : `the copy group "${found?.name ?? ""}" (${groupId})`;
  switch (kind) {
    case "twice":
      return refused(
        "followers",
        followers.filter(({ accountId }) => accountId === account).length > 1
          ? `must not name ${account} twice`
          : `must not name one account twice: ${account} is another follower's, by another login`,
      );
    case "followsItself":
      return errors.copyLoop(
        account === leader
          ? `${account} cannot follow itself`
          : `${account} cannot follow ${leader}: they are one account, by two logins`,
      );
    case "leaderFollows":
      return errors.copyLoop(`${account} follows in ${other}, so it cannot lead`);
    case "followerLeads":
      return errors.copyLoop(`${account} leads ${other}, so it cannot follow`);
    case "followsAnother":
      return errors.copyLoop(
        `${account} follows in ${other} already, and can follow one leader only`,
      );
  }
}

function refused(path: string, message: string): GatewayError {
  return errors.validationFailed([{ path, message }]);
}

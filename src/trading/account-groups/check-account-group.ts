import type { GroupMember, MemberSize } from "../../domain/account-groups/account-group.ts";
import type { IdentityOf } from "../../domain/account-identity.ts";
import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import { readSize, type SizeTicket } from "../../domain/order-handling.ts";
import { errors } from "../../errors.ts";
import {
  type OptionReading,
  readMultiplier,
  readSymbolMap,
} from "../alerts/check-webhook-options.ts";
import type { MemberRequest } from "./account-group-uses.ts";
import { findCopiedTwice, findNamedTwice } from "./copied-twice.ts";

/** A member as it is stored; what is wrong with what was set is added to the problems. */
export function readMember(
  { accountId, enabled = true, symbolMap = {}, ...size }: MemberRequest,
  reading: OptionReading,
): GroupMember {
  return {
    accountId,
    enabled,
    size: readMemberSize(size, reading),
    symbolMap: readSymbolMap(symbolMap, reading),
  };
}

function readMemberSize(
  { multiplier, fixedQty, size }: Pick<MemberRequest, "multiplier" | "fixedQty" | "size">,
  reading: OptionReading,
): MemberSize {
  const given = [multiplier, fixedQty, size].filter((one) => one !== undefined);
  if (given.length > 1) {
    const message = "takes one of multiplier, fixedQty and size, and no more";
    reading.problems.push({ path: `${reading.at ?? ""}multiplier`, message });
  }
  if (size !== undefined) return { by: "risk", size: readRisk(size, reading) };
  if (fixedQty !== undefined) return { by: "fixed", qty: fixedQty };
  if (multiplier === undefined) return { by: "multiplier", multiplier: "1" };
  return { by: "multiplier", multiplier: readMultiplier(multiplier, reading) };
}

/** In the shortest form of its number. */
function readRisk(size: SizeTicket, { problems, at = "" }: OptionReading): SizeTicket {
  const rule = readSize(size);
  if (typeof rule === "string") {
    problems.push({ path: `${at}size`, message: rule });
    return size;
  }
  const min = size.min === undefined ? {} : { min: size.min };
  return rule.by === "risk" ? { risk: rule.money, ...min } : { riskPercent: rule.percent, ...min };
}

/** Throws where what goes to the group would be done twice at one account. */
export function requireOnceEach(
  accounts: readonly AccountId[],
  copyGroups: readonly CopyGroup[],
  identityOf: IdentityOf,
): void {
  const named = findNamedTwice(accounts, identityOf);
  if (named !== undefined) {
    throw errors.copiedTwice(
      named.account === named.leader
        ? `${named.account} is named twice: what goes to the group would be done twice there`
        : `${named.account} and ${named.leader} are one account, by two logins: what goes to the group would be done twice there`,
    );
  }
  for (const group of copyGroups) {
    const copied = findCopiedTwice(accounts, group, identityOf);
    if (copied === undefined) continue;
    throw errors.copiedTwice(
      `${copied.account} follows ${copied.leader} in the copy group "${group.name}": with both in one account group, what goes to it would be done twice. Leave one of them out`,
    );
  }
}

import type { AccountGroup, GroupMember } from "../../domain/account-groups/account-group.ts";
import type { AccountGroupId, AccountId } from "../../domain/ids.ts";
import type { MemberAnswer } from "../../trading/account-groups/account-group-uses.ts";
import type { Settled } from "../../trading/orders/order-uses.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import { presentTime } from "./figures.ts";
import { commonStatus, failureOf } from "./many-answers.ts";

export function presentAccountGroup({ groupId, name, members, createdAt }: AccountGroup) {
  return {
    id: groupId,
    name,
    members: members.map(presentMember),
    createdAt: presentTime(createdAt),
  };
}

function presentMember({ accountId, enabled, size, symbolMap }: GroupMember) {
  return {
    accountId,
    enabled,
    multiplier: size.by === "multiplier" ? size.multiplier : null,
    fixedQty: size.by === "fixed" ? size.qty : null,
    size: size.by === "risk" ? size.size : null,
    symbolMap,
  };
}

/** The answer to one call for a group: each account's own, and a status for all of them. */
export function groupOrdersAnswer(
  groupId: AccountGroupId,
  members: readonly MemberAnswer[],
  { requestId, present }: { requestId: string; present: (settled: Settled) => Answer },
): Answer {
  const answers = members.map((member) =>
    "error" in member ? errorAnswer(member.error, requestId) : present(member.settled),
  );
  const accounts = members.map(({ accountId }) => accountId);
  const isReplayed = members.some((one) => "settled" in one && one.settled.replayed);
  return {
    ...groupAnswer({ groupId }, accounts, answers),
    ...(isReplayed && { headers: { "Idempotency-Replayed": "true" } }),
  };
}

/** Where all have failed it is an error too, with each account's own beside it. */
export function groupAnswer(
  whole: { readonly groupId: AccountGroupId } & Readonly<Record<string, unknown>>,
  accounts: readonly AccountId[],
  answers: readonly Answer[],
): Answer {
  const parts = answers.map((answer, n) => ({
    accountId: accounts[n],
    httpStatus: answer.status,
    ...(answer.body as object),
  }));
  const failure = failureOf(answers);
  if (failure === undefined) {
    return { status: commonStatus(answers), body: { ...whole, accounts: parts } };
  }
  return { ...failure, body: { ...(failure.body as object), ...whole, accounts: parts } };
}

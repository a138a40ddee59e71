import { enabledMembers, type GroupMember } from "../../domain/account-groups/account-group.ts";
import type { AlertRequest } from "../../domain/alert.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountGroupId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { AnswerShared } from "../orders/answer-intent.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { withNamedPlan } from "../exits/look-up-plan.ts";
import type { OpenContracts } from "../orders/open-contracts.ts";
import type { CallersKey, Settled } from "../orders/order-uses.ts";
import { resolveOrder, resolvePosition } from "../orders/resolve.ts";
import type { Submission } from "../orders/submit-intent.ts";
import type { Caller } from "../people/caller.ts";
import { firstStep, publicError } from "../public-error.ts";
import type { AccountGroupUses, MemberAnswer } from "./account-group-uses.ts";
import { applyMember } from "./apply-member.ts";
import { type Carried, fanOut } from "./fan-out.ts";
import { findAccountGroup } from "./manage-account-groups.ts";
import { noAccounts } from "./no-accounts.ts";
import type { AccountGroups } from "./ports.ts";

export interface OrderGroupDeps {
  readonly accountGroups: Pick<AccountGroups, "find">;
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly contracts: ContractDirectory;
  readonly openContracts: OpenContracts;
  readonly namedPlans: Pick<NamedPlanStore, "find" | "all">;
  readonly requireConnection: RequireConnection;
  readonly answerShared: AnswerShared;
}

/** What one account of the group is to do. */
type Prepared = Pick<Submission, "intent" | "exitsOnly" | "exitsOnlyCode">;

/** One call of `/v1` for all accounts of a group that are on. */
export function createOrderGroup(
  deps: OrderGroupDeps,
): Pick<AccountGroupUses, "placeGroupOrder" | "flattenGroup"> {
  const { contracts, openContracts, requireConnection } = deps;

  return {
    placeGroupOrder: async (caller, group, ticket, idempotency) =>
      await askEach(deps, caller, { group, idempotency, isExit: false }, async (member) => {
        const account = requireActive(deps, caller, member);
        const { request, ...how } = forMember({ kind: "order", ticket }, member, caller);
        const planned = await withNamedPlan(deps.namedPlans, caller.userId, request.ticket);
        const intent = resolveOrder(contracts, planned, caller.receivedAt);
        requireConnection(account.connectionId);
        return { intent, ...how };
      }),

    flattenGroup: async (caller, group, symbol, idempotency) =>
      await askEach(deps, caller, { group, idempotency, isExit: true }, async (member) => {
        const account = requireActive(deps, caller, member);
        requireConnection(account.connectionId);
        if (symbol === undefined) return { intent: flatten({}) };
        const { receivedAt } = caller;
        const { request } = forMember({ kind: "exit", symbol }, member, caller);
        const open = await openContracts(account, request.symbol, receivedAt);
        return { intent: flatten(resolvePosition(contracts, request.symbol, receivedAt, open)) };
      }),
  };

  function forMember<Kind extends AlertRequest["kind"]>(
    request: Extract<AlertRequest, { kind: Kind }>,
    member: GroupMember,
    { receivedAt }: Caller,
  ) {
    const { exitsOnly, exitsOnlyCode, ...applied } = applyMember(
      { request, decisions: [] },
      member,
      contracts,
      receivedAt,
    );
    return {
      request: applied.request as typeof request,
      ...(exitsOnly !== undefined && { exitsOnly }),
      ...(exitsOnlyCode !== undefined && { exitsOnlyCode }),
    };
  }
}

/** Closes positions and the legs that belong to them; resting entries stay (`/v1`). */
const flatten = (meant: Partial<ReturnType<typeof resolvePosition>>): Intent => ({
  kind: "FLATTEN",
  ...meant,
  cancelResting: false,
  whenClosed: "refuse",
});

interface Asked {
  readonly group: AccountGroupId;
  readonly idempotency: CallersKey | undefined;
  readonly isExit: boolean;
}

async function askEach(
  deps: OrderGroupDeps,
  caller: Caller,
  { group: groupId, idempotency, isExit }: Asked,
  prepare: (member: GroupMember) => Promise<Prepared>,
): Promise<readonly MemberAnswer[]> {
  const group = await firstStep("reads", () => findAccountGroup(deps, caller, groupId));
  const members = enabledMembers(group);
  if (members.length === 0) throw noAccounts();
  // No caller can write a space: the key of an account by itself is never taken for it.
  const key = idempotency && { ...idempotency, key: `${groupId} ${idempotency.key}` };
  const { requireSameBody, findEarlier, submit } = deps.answerShared;
  const carried = await fanOut(
    members.map((member) => {
      const at = { accountId: member.accountId, idempotency: key };
      return {
        prepare: async () => {
          await requireSameBody(caller, at);
          return await firstStep("reads", () => prepare(member));
        },
        repeatEarlier: async () => await findEarlier(caller, at),
        carryOut: async (prepared: Prepared) => await submit(caller, { ...at, ...prepared }),
      };
    }),
    { isExit },
  );
  return members.map(({ accountId }, n) => ({ accountId, ...toAnswer(carried[n]) }));
}

function toAnswer(
  carried: Carried<Settled> | undefined,
): { readonly settled: Settled } | { readonly error: GatewayError } {
  if (carried !== undefined && "answer" in carried) return { settled: carried.answer };
  const error = publicError(carried?.failure, { changesNothing: false });
  return { error: error instanceof GatewayError ? error : errors.internal(error) };
}

/** An account that is gone, or another's by now, counts as inactive: the others go on. */
function requireActive(
  { accounts }: OrderGroupDeps,
  { userId }: Caller,
  { accountId }: GroupMember,
): StoredAccount {
  const account = accounts.find(accountId);
  if (account?.userId !== userId || !account.active) throw errors.accountInactive();
  return account;
}

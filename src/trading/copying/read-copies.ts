import { type AccountId, type CopyGroupId, intentId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { readCursor, writeCursor } from "../reads/page-cursor.ts";
import { copyOutcome } from "./copy-outcome.ts";
import type { CopiesRequest, CopyUses } from "./copy-uses.ts";
import { findGroup } from "./find-copy-group.ts";
import type { CopyGroups, CopyLog, CopyPosition } from "./ports.ts";

export interface ReadCopiesDeps {
  readonly groups: Pick<CopyGroups, "read">;
  readonly copies: Pick<CopyLog, "list">;
  readonly accounts: Pick<AccountDirectory, "require">;
}

/** What became of every copy of a group, as far back as the store keeps them. */
export function createReadCopies({
  groups,
  copies,
  accounts,
}: ReadCopiesDeps): CopyUses["listCopies"] {
  return async (caller, id, request) => {
    const group = findGroup((await groups.read()).groups, caller, id);
    const { limit, cursor, accountId, outcome } = request;
    if (accountId !== undefined) await accounts.require(caller.userId, accountId);
    const filters = filtersOf(id, request);
    const after = cursor === undefined ? undefined : readPosition(cursor, filters);
    const { items, next } = await copies.list(
      accountId === undefined ? group.followers.map(accountOf) : [accountId],
      {
        limit,
        ...(after !== undefined && { after }),
        matches: (copy) =>
          copy.entry.groupId === id && (outcome === undefined || copyOutcome(copy) === outcome),
      },
    );
    if (next === undefined) return { items };
    return { items, nextCursor: writeCursor({ at: next.at, id: next.copyId }, filters) };
  };
}

const accountOf = ({ accountId }: { readonly accountId: AccountId }) => accountId;

const filtersOf = (id: CopyGroupId, { accountId, outcome }: CopiesRequest) => [
  "copies",
  id,
  accountId,
  outcome,
];

function readPosition(cursor: string, filters: ReturnType<typeof filtersOf>): CopyPosition {
  const { at, id } = readCursor(cursor, filters);
  return { at, copyId: intentId(id) };
}

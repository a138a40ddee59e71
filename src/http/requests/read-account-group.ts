import type { Static } from "@sinclair/typebox";
import type { MemberRequest } from "../../trading/account-groups/account-group-uses.ts";
import type { CreateAccountGroupBody } from "../schemas/account-group.ts";
import { accountOf } from "./path-ids.ts";

/** The accounts of a group from its body, in the domain's words. */
export function readMembers(
  members: Static<typeof CreateAccountGroupBody>["members"],
): readonly MemberRequest[] {
  return members.map(({ accountId, multiplier, ...terms }) => ({
    ...terms,
    accountId: accountOf(accountId),
    ...(multiplier !== undefined && { multiplier: String(multiplier) }),
  }));
}

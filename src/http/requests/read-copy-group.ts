import type { Static } from "@sinclair/typebox";
import type { CopyGroupTerms } from "../../domain/copying/copy-group.ts";
import type {
  CopyGroupRequest,
  FollowerChange,
  FollowerRequest,
} from "../../trading/copying/copy-uses.ts";
import { accountOf } from "./path-ids.ts";
import type {
  ChangeCopyGroupBody,
  ChangeFollowerBody,
  CreateCopyGroupBody,
  PutFollowerBody,
} from "../schemas/copy-group.ts";

/** A new group from its body, in the domain's words. */
export function readNewGroup(body: Static<typeof CreateCopyGroupBody>): CopyGroupRequest {
  const { leaderAccountId, followers, ...terms } = body;
  return {
    ...readGroupTerms(terms),
    leader: accountOf(leaderAccountId),
    followers: followers.map(({ accountId, ...given }) => ({
      accountId: accountOf(accountId),
      ...readFollower(given),
    })),
  };
}

export function readGroupTerms({
  driftPolicy,
  ...terms
}: Static<typeof ChangeCopyGroupBody>): Partial<CopyGroupTerms> {
  return { ...terms, ...(driftPolicy !== undefined && { drift: driftPolicy }) };
}

export function readFollower(given: Static<typeof PutFollowerBody>): FollowerRequest;
export function readFollower(given: Static<typeof ChangeFollowerBody>): FollowerChange;
export function readFollower({
  multiplier,
  ...terms
}: Static<typeof ChangeFollowerBody>): FollowerChange {
  return { ...terms, ...(multiplier !== undefined && { multiplier: String(multiplier) }) };
}

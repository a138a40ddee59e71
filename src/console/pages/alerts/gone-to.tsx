import { AccountOf } from "../../parts/account-of.tsx";
import { TargetOf } from "../webhooks/target-of.tsx";
import type { WholeAlert } from "./types.ts";
import type { Names } from "./use-names.ts";

/** An account, or the group as a whole. */
export function GoneTo({
  alert: { accountId, groupId, partOf },
  names,
}: {
  alert: Pick<WholeAlert, "accountId" | "groupId" | "partOf">;
  names: Names;
}) {
  if (groupId === null || partOf !== null) {
    return <AccountOf id={accountId} accounts={names.accounts} />;
  }
  return <TargetOf webhook={{ accountId, groupId }} targets={names} />;
}

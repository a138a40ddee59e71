import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import type { CopyEntry } from "./ports.ts";

/**
 * A follower has missed what its leader did: that is not made up for by the leader's next fill, and
 * least of all by an exit. It joins in that contract, unless its group repairs it anyway.
 */
export async function joinLate(
  groups: Pick<CopyGroupDirectory, "ledBy" | "changeFollower">,
  { groupId, leader, follower }: CopyEntry,
  contract: ContractCode,
): Promise<void> {
  const group = groups.ledBy(leader).find((one) => one.groupId === groupId);
  if (group === undefined || group.drift === "repair") return;
  await groups.changeFollower(groupId, follower, (one) =>
    one.joining.includes(contract) ? undefined : { ...one, joining: [...one.joining, contract] },
  );
}

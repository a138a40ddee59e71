import type { UserId } from "../../domain/ids.ts";
import type { CopyGroups } from "./ports.ts";

/** Removes every copy group of a user who leaves, however often others change theirs meanwhile. */
export async function removeGroupsOf(
  groups: Pick<CopyGroups, "read" | "remove">,
  user: UserId,
): Promise<void> {
  for (;;) {
    const { groups: known, version } = await groups.read();
    const one = known.find(({ userId }) => userId === user);
    if (one === undefined) return;
    await groups.remove(one.groupId, version);
  }
}

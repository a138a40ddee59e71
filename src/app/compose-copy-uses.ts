import { identities } from "../trading/connections/account-directory.ts";
import { CopyGroupDirectory } from "../trading/copying/copy-group-directory.ts";
import { createCopyGroupUses } from "../trading/copying/manage-copy-groups.ts";
import { endMirrors } from "../trading/copying/end-mirrors.ts";
import { createReadCopies } from "../trading/copying/read-copies.ts";
import { createSendCopies } from "../trading/copying/send-copies.ts";
import { createSyncCopyGroup, createSyncFollowers } from "../trading/copying/sync-copy-group.ts";
import { copyIdOf, newCopyGroupId } from "./new-ids.ts";
import type { UseCaseParts } from "./open-links.ts";

const MS_PER_SECOND = 1_000;

/** What callers ask of copy groups. */
export function composeCopyUses(parts: UseCaseParts) {
  const { copyGroups: groups, copyLog, copyNews: news, copyMirrors, config } = parts;
  const send = createSendCopies({
    ...parts,
    news,
    log: copyLog,
    patientLog: parts.patient.copyLog,
    // Whoever owns the leader's connection finds it in the log.
    follow: () => ({ accepted: () => undefined, failed: () => undefined }),
    exitMaxAgeMs: config.EXIT_MAX_AGE_SECONDS * MS_PER_SECOND,
  });
  const { isOneMarket } = parts.contracts;
  const facts = { identityOf: identities(parts.accounts), isOneMarket };
  const directory = new CopyGroupDirectory(groups, facts);
  const syncFollowers = createSyncFollowers({
    ...parts,
    groups: directory,
    news,
    send,
    copyId: copyIdOf,
  });
  const ending = { ...parts, mirrors: copyMirrors, send, copyId: copyIdOf };
  return {
    ...createCopyGroupUses({
      ...parts,
      groups,
      news,
      copies: copyLog,
      endMirrors: async (group, follower) => await endMirrors(ending, group, follower),
      newGroupId: newCopyGroupId,
    }),
    listCopies: createReadCopies({
      ...parts,
      groups: parts.reading.copyGroups,
      copies: parts.reading.copyLog,
    }),
    syncCopyGroup: createSyncCopyGroup({ ...parts, groups, isOneMarket, syncFollowers }),
  };
}

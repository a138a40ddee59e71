import type { FollowerTerms } from "../../src/domain/copying/copy-group.ts";
import { accountId } from "../../src/domain/ids.ts";
import { apiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import type { Cluster } from "./cluster.ts";
import type { Shape } from "./schedule.ts";

/** Who follows whom in a run, and how. */
export interface FollowedLeader {
  readonly groupId: string;
  readonly leader: string;
  readonly followers: readonly FollowerTerms[];
  /** Its followers have guards, which refuse copies and close what was copied. */
  readonly isGuarded?: true;
}

type Terms = Omit<FollowerTerms, "accountId">;

const PLAIN = { invert: false, symbolMap: {}, enabled: true } as const;
const times = (multiplier: string, rounding: "down" | "nearest" | "up" = "down") =>
  ({ by: "multiplier", multiplier, rounding }) as const;

/** The followers of a run have them in turn. */
const TERMS: readonly Terms[] = [
  { ...PLAIN, size: times("1") },
  { ...PLAIN, size: times("2"), maxQty: 5 },
  { ...PLAIN, size: times("0.5", "nearest") },
  { ...PLAIN, size: times("1"), invert: true },
  { ...PLAIN, size: { by: "fixed", qty: 2 } },
  { ...PLAIN, size: times("0.5", "up"), symbolMap: { MES: "MNQ" } },
];

/** What a leader did longer ago is to open nothing. */
export const MAX_AGE_SECONDS = 15;
/** Drift is repaired within the run. */
const GROUP = {
  mode: "fills",
  driftPolicy: "repair",
  driftAfterSeconds: 3,
  maxAgeSeconds: MAX_AGE_SECONDS,
};

/** Lets some of the accounts that are called lead, each a group of its own. */
export async function followLeaders(
  { called, followers, guarded, members }: Cluster,
  apiKey: string,
  shape: Shape,
): Promise<readonly FollowedLeader[]> {
  const { url = "" } = members.find(({ takesCalls }) => takesCalls) ?? {};
  const api = apiClient(url, apiKey);
  const groups: FollowedLeader[] = [];
  const planned = [
    ...planGroups({ called, followers }, shape),
    ...planGuarded({ called, guarded }, shape),
  ];
  for (const one of planned) {
    const { leader: leaderAccountId } = one;
    // What guards have closed is not to be copied anew.
    const drift = one.isGuarded === true ? { driftPolicy: "alarm" } : {};
    const body = { ...GROUP, ...drift, leaderAccountId, followers: one.followers.map(toRequest) };
    await waitUntil(`${leaderAccountId} leads`, async () => {
      const reply = await api.post("/v1/copy-groups", body);
      if (reply.status === 201) groups.push({ ...one, groupId: reply.body.id as string });
      return reply.status === 201;
    });
  }
  return groups;
}

/** Each group's followers are on other connections than each other, as far as there are so many. */
export function planGroups(
  { called, followers }: Pick<Cluster, "called" | "followers">,
  { connections, accountsPerConnection, groupsPerConnection, followersPerGroup }: Shape,
): readonly Omit<FollowedLeader, "groupId">[] {
  const free = followers.map((own) => [...own]);
  let given = 0;
  return Array.from({ length: connections * groupsPerConnection }, (_, group) => {
    const connection = group % connections;
    const nth = Math.floor(group / connections);
    return {
      leader: called[connection * accountsPerConnection + nth] ?? "",
      followers: Array.from({ length: followersPerGroup }, (__, n): FollowerTerms => {
        const terms = TERMS[given % TERMS.length] as Terms;
        given += 1;
        const name = free[(group + n) % connections]?.shift() ?? "";
        return { ...terms, accountId: accountId(name) };
      }),
    };
  });
}

/** Behind the leaders of each connection, one more, whose only follower has guards. */
function planGuarded(
  { called, guarded }: Pick<Cluster, "called" | "guarded">,
  { connections, accountsPerConnection, groupsPerConnection }: Shape,
): readonly Omit<FollowedLeader, "groupId">[] {
  return guarded.map((_, connection) => {
    const { follower = "" } = guarded[(connection + 1) % connections] ?? {};
    const leader = called[connection * accountsPerConnection + groupsPerConnection] ?? "";
    const terms = { ...PLAIN, size: times("1"), accountId: accountId(follower) };
    return { leader, followers: [terms], isGuarded: true };
  });
}

function toRequest({ size, ...terms }: FollowerTerms): object {
  if (size.by === "fixed") return { ...terms, fixedQty: size.qty };
  return { ...terms, multiplier: size.multiplier, rounding: size.rounding };
}

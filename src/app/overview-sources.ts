import { type AccountFigures, readLaneFigures } from "../../queues/lane-figures.ts";
import { createRedisOverview } from "../store/accounts/redis-overview.ts";
import { createReadMissingExits } from "../store/accounts/redis-missing-exits.ts";
import type { OpenWork } from "../trading/reads/overview.ts";
import type { MissingExits } from "../trading/reads/read-holdings.ts";
import type { ReadOverviewDeps } from "../trading/reads/read-overview.ts";
import { alarmOfFinding } from "../store/trust/store-room.ts";
import { laneFigureDeps } from "./metric-readers.ts";
import type { Foundation } from "./open-foundation.ts";

export interface OverviewSources extends Pick<
  ReadOverviewDeps,
  "openWork" | "overview" | "storeTroubles"
> {
  readonly missingExits: MissingExits;
}

/** Where the overview reads what no other use case asks for. */
export function openOverviewSources({ store, reading }: Foundation): OverviewSources {
  const { reader: redis, keys } = store;
  const { alertAccounts } = reading.credentials;
  return {
    overview: createRedisOverview({ redis, keys, alertAccounts }),
    storeTroubles: () =>
      store.guard.findings.map(({ kind: finding, text }) => ({
        cause: alarmOfFinding(finding),
        finding,
        text,
      })),
    openWork: async (accounts) => {
      const figures = await readLaneFigures(laneFigureDeps(store, redis), (account) =>
        accounts.has(account),
      );
      return figures.map(toOpenWork);
    },
    missingExits: createReadMissingExits({ redis, keys }),
  };
}

/** Whatever keeps an intent from its answer, it waits: on its lane, behind an outcome, or sent. */
function toOpenWork({ accountId, waiting, held, sending, ...rest }: AccountFigures): OpenWork {
  return { accountId, waiting: waiting + held + sending, ...rest };
}

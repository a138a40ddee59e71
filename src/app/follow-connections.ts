import { readAddedPlans } from "../brokers/open-connection.ts";
import { connectionId } from "../domain/ids.ts";
import { openConnectionBoard } from "../brokers/connection-board.ts";
import type { LiveConnectionBoard } from "../trading/ports.ts";
import { followChanges, oneAtATime } from "./follow-changes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Owner } from "./open-owner.ts";

const LOOK_MS = 2_000;
const READ_ACCOUNTS_MS = 60_000;

/** Keeps up with which connections users have, and how every one of them stands. */
export async function followConnections(
  base: Foundation,
  owner: Owner | undefined,
  lifecycle: Lifecycle,
): Promise<LiveConnectionBoard> {
  const { channels, keys, accounts, stores, patient, log } = base;
  const onError = (error: unknown) => log.warn("Connections could not be looked at", { error });
  const { board, close } = await openConnectionBoard({
    leases: patient.leases,
    accounts,
    own: owner?.pool,
    listen: async (hear) =>
      await channels.listen(keys.connectionNews, (name) => hear(connectionId(name))),
    onError,
  });
  lifecycle.started("the connections' board", close);

  const exitsMissing = owner?.unprotected.missing;
  const plans = { ...base, ...stores, ...(exitsMissing && { exitsMissing }) };
  const loadAccounts = oneAtATime(() => accounts.load());
  const setups = await followChanges({
    listen: async (hear) =>
      await channels.listen(keys.connectionChanges, () => {
        hear();
        loadAccounts().catch(onError);
      }),
    look: async () => owner?.pool.follow(await readAddedPlans(plans)),
    everyMs: LOOK_MS,
    onError,
  });
  lifecycle.started("the look at what users connect", setups.stop);
  // A report of a change may be lost, and the days of accounts have to be known everywhere.
  const reading = setInterval(() => {
    loadAccounts().catch(onError);
  }, READ_ACCOUNTS_MS).unref();
  lifecycle.started("the look at accounts", () => clearInterval(reading));
  await setups.look();
  return board;
}

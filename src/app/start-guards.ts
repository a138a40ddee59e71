import type { AccountId } from "../domain/ids.ts";
import { AccountCloser } from "../trading/guards/close-account.ts";
import { followChanges } from "./follow-changes.ts";
import { ownedOf } from "./keep-guards.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { guardIntentIdOf } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";
import { submitAsOwner } from "./submit-as-owner.ts";

const LOOK_MS = 1_000;

/** Days and ages go by our clock, and everything that is stored by Redis'. */
const APART_MS = 2_000;

async function lookAtClock({ alarms, now, patient }: Foundation): Promise<void> {
  const before = now();
  const theirs = await patient.intents.now();
  const apart = theirs < before - APART_MS || theirs > now() + APART_MS;
  if (!apart) {
    alarms.clear({ kind: "clockApart" });
    return;
  }
  const seconds = Math.round((theirs - before) / 1_000);
  const reason = `The clock of Redis is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's`;
  alarms.raise({ kind: "clockApart", reason });
}

/** From here on accounts are judged, and closed where their guards want that. */
export async function startGuards(
  base: Foundation,
  owner: Owner,
  links: Links,
  lifecycle: Lifecycle,
): Promise<void> {
  const { accounts, channels, keys, log, alarms, now } = base;
  const { guards, calendars, reports, elapsed } = owner;
  const closer = new AccountCloser({
    brokerOf: (account) => ownedOf(base, owner)(account)?.broker,
    userOf: (account) => accounts.find(account)?.userId,
    submit: submitAsOwner(base, owner, links),
    intentIdOf: guardIntentIdOf,
    isKnown: async (account, id) => (await base.patient.intents.find(account, id)) !== undefined,
    alarms,
    decided: (account, closing, decision) => guards.decided(account, closing, decision),
    onError: (accountId, error) =>
      log.error("An account could not be closed as its guards want", { accountId, error }),
    now,
    elapsed,
  });
  guards.closeBy((account, closings) => closer.follow(account, closings));
  reports.onReport((account) => {
    closer.noteReport(account);
    guards.noteReport(account);
  });
  reports.onFills((account) => guards.noteReport(account));
  const unlisten = await channels.listen(keys.guardChanges, (account) =>
    guards.reread(account as AccountId),
  );
  const forgetCalendars = await channels.listen(keys.calendarChanges, () => calendars.doubt());
  const followed = await followChanges({
    listen: async () => () => undefined,
    look: async () => {
      await guards.look();
      await lookAtClock(base);
    },
    everyMs: LOOK_MS,
    onError: (error) => log.warn("Guards could not be looked at", { error }),
  });
  lifecycle.started("guards", async () => {
    unlisten();
    forgetCalendars();
    await followed.stop();
  });
  await followed.look();
}

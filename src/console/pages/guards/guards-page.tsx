import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { PageTitle, Pair, Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { place } from "../../shell/router.ts";
import { AddPreset } from "./add-preset.tsx";
import { BrokerGuards } from "./broker-guards.tsx";
import { GuardLog } from "./guard-log.tsx";
import { NextGuards } from "./next-guards.tsx";
import { AddRule } from "./rule-form.tsx";
import { RuleTable } from "./rule-table.tsx";
import { BLIND_WORDS, secondsText } from "./rule-words.ts";
import { SettingsForm } from "./settings-form.tsx";
import { Standing } from "./standing.tsx";
import type { OfAccount, RuleKind, Settings } from "./types.ts";
import { WouldLock } from "./would-lock.tsx";

/** What an account's guards of prices and positions say moves with them. */
const rhythmOf = (accountId: string): Rhythm => ({
  refreshOn: { what: ["marks", "positions", "orders", "overview"], accountId },
  anywayMs: 5_000,
  leastMs: 1_000,
});

/** The guards of the account that the address names. */
export function GuardsPage() {
  const id = place.value.path[1] ?? "";
  return <Guarded key={id} id={id} />;
}

function Guarded({ id }: { id: string }) {
  const accounts = usePoll("accounts of guards", readAccounts, {
    refreshOn: { what: ["overview"], accountId: null },
    anywayMs: 60_000,
  });
  const account = accounts.data?.find((one) => one.id === id);
  const params = { path: { id } };
  const poll = usePoll(
    `guards ${id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/guards", { params })),
    rhythmOf(id),
  );
  const { answeredAt, data: guards } = poll;
  const error = poll.error ?? accounts.error;
  return (
    <>
      <PageTitle title={`Guards of ${account?.name ?? id}`}>
        <span class="row">
          {account !== undefined && <EnvironmentBadge environment={account.environment} />}
          <a href="#/calendars">Calendars</a>
          <a href={`#/accounts?account=${encodeURIComponent(id)}`}>The account</a>
        </span>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      {guards === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {accounts.data !== undefined && account === undefined && <p>This account is not yours.</p>}
      {guards !== undefined && answeredAt !== undefined && account !== undefined && (
        <All account={account} guards={guards} refresh={poll.refresh} answeredAt={answeredAt} />
      )}
      <WouldLock />
    </>
  );
}

function All({ answeredAt, ...of }: OfAccount & { answeredAt: number }) {
  const { guards } = of;
  return (
    <>
      <Standing {...of} />
      {guards.version === "" || (guards.rules.length === 0 && guards.next === null) ? (
        <Invitation {...of} />
      ) : (
        <Rules {...of} answeredAt={answeredAt} />
      )}
      <NextGuards guards={guards} />
      <BrokerGuards guards={guards} />
      <GuardLog guards={guards} />
    </>
  );
}

type Asked = RuleKind | "preset" | "settings";

/** What was asked for stands until it is done or left. */
function Dialogs({ asked, ...of }: OfAccount & { asked: Asked | undefined; onClose: () => void }) {
  if (asked === undefined) return null;
  if (asked === "preset") return <AddPreset {...of} />;
  if (asked === "settings") return <SettingsForm {...of} />;
  return <AddRule {...of} kind={asked} />;
}

/** Where an account has no rule yet: three ways to begin. */
function Invitation(of: OfAccount) {
  const [asked, setAsked] = useState<Asked>();
  return (
    <Sheet title="No guards yet">
      <div class="body">
        <p>
          Guards say what must not happen in {of.account.name}: how much may be lost, how much may
          be held, and when. Near a limit you are told, then entries are refused, and at the limit
          the account is closed and locked. Exits always pass.
        </p>
        <div class="actions">
          <button type="button" class="primary" onClick={() => setAsked("loss")}>
            Daily loss
          </button>
          <button type="button" onClick={() => setAsked("preset")}>
            From a firm's preset
          </button>
          <button type="button" onClick={() => setAsked("flatBeforeClose")}>
            Flat before the close
          </button>
        </div>
      </div>
      <Dialogs {...of} asked={asked} onClose={() => setAsked(undefined)} />
    </Sheet>
  );
}

function Rules({ answeredAt, ...of }: OfAccount & { answeredAt: number }) {
  const { guards } = of;
  const [asked, setAsked] = useState<Asked>();
  return (
    <Sheet
      title="Rules"
      end={
        <span class="actions">
          <button type="button" class="small" onClick={() => setAsked("loss")}>
            Add a rule
          </button>
          <button type="button" class="small" onClick={() => setAsked("preset")}>
            From a preset
          </button>
          <button type="button" class="small" onClick={() => setAsked("settings")}>
            Settings
          </button>
        </span>
      }
    >
      {guards.rules.length === 0 ? (
        <p class="empty">No rule counts today.</p>
      ) : (
        <RuleTable {...of} answeredAt={answeredAt} />
      )}
      <div class="body">
        <SettingsInWords settings={guards.settings} />
      </div>
      <Dialogs {...of} asked={asked} onClose={() => setAsked(undefined)} />
    </Sheet>
  );
}

function SettingsInWords({ settings }: { settings: Settings }) {
  const { bufferPercent, currency, entriesOffPercent, warnPercent, whenBlind } = settings;
  return (
    <dl class="pairs stacked">
      <Pair name="Told from">{warnPercent} % of a limit</Pair>
      <Pair name="Entries off from">{entriesOffPercent} % of a limit</Pair>
      <Pair name="Breach">
        {bufferPercent === 0 ? "at the limit" : `${bufferPercent} % before the limit`}
      </Pair>
      <Pair name="While figures are missing">
        entries are refused; after {secondsText(whenBlind.afterSeconds)}:{" "}
        {BLIND_WORDS[whenBlind.then]}
      </Pair>
      <Pair name="Currency">{currency}</Pair>
    </dl>
  );
}

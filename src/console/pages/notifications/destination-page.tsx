import { EVENTS } from "../../../domain/notify/event.ts";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { PageTitle, Pair, Sheet } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { go } from "../../shell/router.ts";
import { CHANNELS } from "./channels.ts";
import { DestinationActions } from "./destination-actions.tsx";
import { DestinationMark, StatePairs } from "./destination-state.tsx";
import { LinkTelegram } from "./link-telegram.tsx";
import { TestButton } from "./test-button.tsx";
import type { Account, Destination, Rule } from "./types.ts";
import { UndeliveredList } from "./undelivered-list.tsx";

/** One destination: how it stands, what it is told, and what did not arrive. */
export function DestinationPage({
  destination,
  accounts,
  refresh,
}: {
  destination: Destination;
  accounts: readonly Account[];
  refresh: () => void;
}) {
  const { kind, name } = destination;
  return (
    <>
      <PageTitle title={name}>
        <a href="#/notifications">All destinations</a>
      </PageTitle>
      <SwitchedOff destination={destination} refresh={refresh} />
      {kind === "telegram" && <LinkTelegram destination={destination} refresh={refresh} />}
      <Sheet
        title={CHANNELS[kind].label}
        end={
          <span role="status">
            <DestinationMark destination={destination} />
          </span>
        }
      >
        <div class="body">
          <StatePairs destination={destination} />
          <TestButton id={destination.id} />
        </div>
      </Sheet>
      <Sheet title="What it is told">
        <div class="body">
          <SettingPairs destination={destination} accounts={accounts} />
          <DestinationActions
            destination={destination}
            accounts={accounts}
            refresh={refresh}
            onDeleted={() => go("/notifications", { replace: true })}
          />
        </div>
      </Sheet>
      {kind !== "heartbeat" && (
        <UndeliveredList
          id={destination.id}
          count={destination.state.undelivered}
          refresh={refresh}
        />
      )}
    </>
  );
}

function SwitchedOff({
  destination: { id, disabled },
  refresh,
}: {
  destination: Destination;
  refresh: () => void;
}) {
  const action = useAction();
  if (disabled === null) return null;
  const switchOn = () =>
    action.run(async () => {
      const params = { path: { id } };
      await answerOf(api.PATCH("/v1/destinations/{id}", { params, body: { enabled: true } }));
      refresh();
    });
  return (
    <div class="notice bad" role="alert">
      <strong>Switched off: nothing is told here.</strong>
      <p>
        {disabled.reason}, <Time at={disabled.at} />. Put that right, test it, and switch it on
        again.
      </p>
      <Problem error={action.error} />
      <div class="actions">
        <ActionButton action={action} verb="Switch it on" onDo={() => void switchOn()} />
      </div>
    </div>
  );
}

function SettingPairs({
  destination: { kind, settings, rules, quietHours, summary, inOrder, answers, createdAt },
  accounts,
}: {
  destination: Destination;
  accounts: readonly Account[];
}) {
  return (
    <dl class="pairs">
      {CHANNELS[kind].fields.map(({ name, label }) => {
        const value = settings[name];
        if (value === undefined) return null;
        return (
          <Pair key={name} name={label}>
            {typeof value === "boolean" ? "set, and not shown" : value}
          </Pair>
        );
      })}
      {kind !== "heartbeat" && (
        <>
          <Pair name="Rules">
            {rules.length === 0 ? (
              "none: what matters is told"
            ) : (
              <ol class="plain">
                {rules.map((rule, n) => (
                  <li key={n}>{ruleInWords(rule, accounts)}</li>
                ))}
              </ol>
            )}
          </Pair>
          <Pair name="Quiet hours">
            {quietHours === null
              ? "none"
              : `${quietHours.from} to ${quietHours.to}, ${quietHours.zone}`}
          </Pair>
          <Pair name="Daily summary">
            {summary === null ? "none" : `at ${summary.at}, ${summary.zone}`}
          </Pair>
        </>
      )}
      {kind === "webhook" && <Pair name="In order">{inOrder ? "yes" : "no"}</Pair>}
      {kind === "telegram" && <Pair name="Answers in the chat">{answers ? "yes" : "no"}</Pair>}
      <Pair name="Added">
        <Time at={createdAt} />
      </Pair>
    </dl>
  );
}

const TELL = { on: "Tell", silent: "Tell without a sound", off: "Do not tell" } as const;

function ruleInWords(
  { tell, types, severity, accounts: named, environment }: Rule,
  accounts: readonly Account[],
): string {
  const what = types?.map((type) => EVENTS[type].title).join(", ") ?? "everything";
  const nameOf = (id: string) => accounts.find((one) => one.id === id)?.name ?? id;
  const limits = [
    severity === "critical" && "if critical",
    severity === "warning" && "if a warning or worse",
    named !== undefined && `of ${named.map(nameOf).join(", ")}`,
    environment !== undefined && `of ${environment} accounts`,
  ].filter((limit) => limit !== false);
  return `${TELL[tell]}: ${[what, ...limits].join(", ")}`;
}

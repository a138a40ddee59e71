import { useState } from "preact/hooks";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Sheet } from "../../parts/page.tsx";
import { DraftChoices } from "./draft-choices.tsx";
import { actionsOf, type Draft, hangsExitsOnExits, messageOf } from "./message-draft.ts";
import { placeholdersIn } from "./placeholders.ts";
import { PROFILE_HINTS, profileWord } from "./profiles.ts";
import { TestAlert } from "./test-alert.tsx";
import type { Webhook } from "./types.ts";

/** Builds the message of an alert in the words of the webhook's profile, and tries it. */
export function MessageBuilder({ webhook }: { webhook: Webhook }) {
  const profile = webhook.profile ?? "native";
  const [chosen, setChosen] = useState<Omit<Draft, "profile">>({
    action: "strategy",
    symbol: "",
    qty: "",
    stopLoss: { unit: "none", value: "" },
    takeProfit: { unit: "none", value: "" },
  });
  const draft: Draft = {
    ...chosen,
    profile,
    action: actionsOf(profile).includes(chosen.action) ? chosen.action : "strategy",
  };
  const message = messageOf(draft);
  return (
    <>
      <Sheet title="Message for the alert" end={<CopyButton text={message} label="Copy it" />}>
        <div class="body builder">
          <DraftChoices
            draft={draft}
            webhook={webhook}
            onDraft={(change) => setChosen({ ...chosen, ...change })}
          />
          <div class="made">
            <p class="quiet">
              Profile: {profileWord(profile)}. {PROFILE_HINTS[profile]}
            </p>
            <code class="secret">{message}</code>
            {hangsExitsOnExits(draft) && (
              <p class="notice watch">
                A strategy leaves its positions by orders too, and each of those would get these
                exits as well: they would stay behind, and could open a position. Send them only
                from a strategy whose every order is an entry; else set the webhook's profile to
                Position of the strategy.
              </p>
            )}
            <Becomes message={message} />
          </div>
        </div>
      </Sheet>
      <TestAlert key={webhook.id} webhook={webhook} message={message} />
    </>
  );
}

/** What each placeholder of the message becomes. */
function Becomes({ message }: { message: string }) {
  const placeholders = placeholdersIn(message);
  const needsStrategy = placeholders.some(({ ofStrategy }) => ofStrategy);
  return (
    <>
      <dl class="pairs stacked">
        {placeholders.map(({ becomes, name }) => (
          <>
            <dt key={name} class="mono">
              {name}
            </dt>
            <dd>{becomes}</dd>
          </>
        ))}
      </dl>
      {needsStrategy && (
        <p class="notice">
          Placeholders that begin with “strategy” are filled in only in an alert that is set on a
          strategy. In any other alert they stay as they are, and the message is refused.
        </p>
      )}
    </>
  );
}

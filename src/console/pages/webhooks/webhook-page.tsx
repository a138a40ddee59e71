import { Mark } from "../../parts/mark.tsx";
import { PageTitle, Sheet } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { go } from "../../shell/router.ts";
import { MessageBuilder } from "./message-builder.tsx";
import { OptionList } from "./option-list.tsx";
import { changedReadings } from "./profiles.ts";
import { areActive, targetName, TargetOf } from "./target-of.tsx";
import type { Targets, Webhook } from "./types.ts";
import { WebhookActions } from "./webhook-actions.tsx";

/** One webhook: how it stands, what it is set to, and the messages that it takes. */
export function WebhookPage({
  webhook,
  targets,
  refresh,
}: {
  webhook: Webhook;
  targets: Targets;
  refresh: () => void;
}) {
  return (
    <>
      <PageTitle title={webhook.name}>
        <span class="row">
          <a href="#/webhooks">All webhooks</a>
          <a href={`#/alerts?webhookId=${webhook.id}`}>Its alerts</a>
        </span>
      </PageTitle>
      <Sheet
        title={`For ${targetName(webhook, targets)}`}
        end={
          <span class="row">
            <TargetOf webhook={webhook} targets={targets} />
            <span role="status">
              <WebhookState webhook={webhook} targets={targets} />
            </span>
          </span>
        }
      >
        <div class="body">
          <p class="quiet">
            Created <Time at={webhook.createdAt} />, last used{" "}
            <Time at={webhook.lastUsedAt ?? undefined} />. Its URL was shown when it was created,
            and cannot be shown again.
          </p>
          <details>
            <summary>Messages that this version reads otherwise than the one before</summary>
            <ul class="quiet">
              {changedReadings(webhook.profile).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
          <OptionList webhook={webhook} />
          <WebhookActions
            webhook={webhook}
            targets={targets}
            refresh={refresh}
            onDeleted={() => go("/webhooks", { replace: true })}
          />
        </div>
      </Sheet>
      <MessageBuilder webhook={webhook} />
    </>
  );
}

/** Whether its alerts are carried out; one that points at an inactive account is not well. */
export function WebhookState({ webhook, targets }: { webhook: Webhook; targets: Targets }) {
  if (webhook.paused) return <Mark tone="quiet">Paused</Mark>;
  if (!areActive(webhook, targets)) return <Mark tone="watch">Account inactive</Mark>;
  return <Mark tone="good">Takes alerts</Mark>;
}

import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { useAction } from "../../parts/action.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { TargetOf } from "./target-of.tsx";
import type { Targets, Webhook } from "./types.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { changeOf, typedOf, type WebhookTyped } from "./webhook-typed.ts";

type Asked = "edit" | "delete" | "pause";

/** Edit, pause or resume, and delete. */
export function WebhookActions({
  webhook,
  targets,
  refresh,
  onDeleted,
}: {
  webhook: Webhook;
  targets: Targets;
  refresh: () => void;
  onDeleted?: () => void;
}) {
  const [asked, setAsked] = useState<Asked>();
  const action = useAction();
  const close = () => setAsked(undefined);
  const params = { path: { id: webhook.id } };
  const pause = async (paused: boolean) => {
    await answerOf(api.PATCH("/v1/webhooks/{id}", { params, body: { paused } }));
    refresh();
  };
  const save = async (typed: WebhookTyped) => {
    const body = changeOf(typed, webhook);
    if (Object.keys(body).length > 0) {
      await answerOf(api.PATCH("/v1/webhooks/{id}", { params, body }));
    }
    refresh();
    close();
  };
  const remove = async () => {
    await answerOf(api.DELETE("/v1/webhooks/{id}", { params }));
    refresh();
    onDeleted?.();
  };
  const which = { webhook, targets };
  return (
    <>
      <Buttons
        webhook={webhook}
        isRunning={action.isRunning}
        onAsk={setAsked}
        onResume={() => void action.run(() => pause(false))}
      />
      <Problem error={action.error} />
      {asked === "edit" && (
        <WebhookForm
          title={`Edit “${webhook.name}”`}
          verb="Save"
          targets={targets}
          start={typedOf(webhook)}
          onSave={save}
          onClose={close}
        />
      )}
      {asked === "pause" && (
        <PauseWebhook {...which} onConfirm={() => pause(true)} onClose={close} />
      )}
      {asked === "delete" && <DeleteWebhook {...which} onConfirm={remove} onClose={close} />}
    </>
  );
}

function Buttons({
  webhook: { name, paused },
  isRunning,
  onAsk,
  onResume,
}: {
  webhook: Webhook;
  isRunning: boolean;
  onAsk: (asked: Asked) => void;
  onResume: () => void;
}) {
  return (
    <div class="actions end">
      <button type="button" class="small" onClick={() => onAsk("edit")}>
        Edit<span class="unseen"> {name}</span>
      </button>
      <button
        type="button"
        class="small"
        disabled={isRunning}
        onClick={() => (paused ? onResume() : onAsk("pause"))}
      >
        {paused ? "Resume" : "Pause"}
        <span class="unseen"> {name}</span>
      </button>
      <button type="button" class="small danger" onClick={() => onAsk("delete")}>
        Delete<span class="unseen"> {name}</span>
      </button>
    </div>
  );
}

interface EndProps {
  webhook: Webhook;
  targets: Targets;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

function PauseWebhook({ webhook, targets, onConfirm, onClose }: EndProps) {
  return (
    <Confirm title="Pause the webhook" verb="Pause it" onConfirm={onConfirm} onClose={onClose}>
      <Which webhook={webhook} targets={targets} />
      <p>Its alerts are refused until it is resumed, exits too. What is open stays open.</p>
    </Confirm>
  );
}

function DeleteWebhook({ webhook, targets, onConfirm, onClose }: EndProps) {
  return (
    <Confirm title="Delete the webhook" verb="Delete it" onConfirm={onConfirm} onClose={onClose}>
      <Which webhook={webhook} targets={targets} />
      <p>
        Its URL stops working at once, exits too, and cannot be brought back. What is open stays
        open, and its alerts leave the log.
      </p>
    </Confirm>
  );
}

function Which({ webhook, targets }: { webhook: Webhook; targets: Targets }) {
  return (
    <p class="row">
      <strong>{webhook.name}</strong> for <TargetOf webhook={webhook} targets={targets} />
    </p>
  );
}

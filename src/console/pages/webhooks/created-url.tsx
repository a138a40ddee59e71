import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { go } from "../../shell/router.ts";
import type { CreatedWebhook } from "./types.ts";

/** The one time that a webhook's URL is shown, with a message to begin with. */
export function CreatedUrl({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) {
  return (
    <Dialog title={`Webhook “${created.name}” created`} onClose={onClose} mayClose={false}>
      <p>
        <strong>This URL is shown only once.</strong> Anyone who has it can trade the account: treat
        it like a password. If you lose it, create another webhook.
      </p>
      <div class="stack wide">
        <code class="secret">{created.url}</code>
        <CopyButton text={created.url} label="Copy the URL" />
      </div>
      {created.warning !== null && (
        <div class="notice watch" role="alert">
          <strong>Read this before you paste it.</strong>
          <p>{created.warning}.</p>
        </div>
      )}
      <p>
        Paste it as the webhook URL of the charting platform's alert, and this as its message, for
        an alert on a strategy:
      </p>
      <div class="stack wide">
        <code class="secret">{created.message}</code>
        <CopyButton text={created.message} label="Copy the message" />
      </div>
      <div class="actions end">
        <button
          type="button"
          onClick={() => {
            onClose();
            go(`/webhooks/${created.id}`);
          }}
        >
          I have it: build another message
        </button>
        <button type="button" class="primary" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}

import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Time } from "../../parts/time.tsx";

/** The one time that the secret of a signed webhook is shown. */
export function ShownSecret({
  name,
  secret,
  formerUntil,
  onClose,
}: {
  name: string;
  secret: string;
  formerUntil?: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={`The secret of “${name}”`} onClose={onClose} mayClose={false}>
      <p>
        <strong>This secret is shown only once.</strong> Your program proves with it that a post is
        the gateway's (Standard Webhooks).
      </p>
      {formerUntil !== undefined && (
        <p>
          Posts are signed with the former one too, until <Time at={formerUntil} />.
        </p>
      )}
      <div class="stack wide">
        <code class="secret">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <div class="actions end">
        <button type="button" class="primary" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}

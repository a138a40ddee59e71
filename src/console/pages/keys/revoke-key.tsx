import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Time } from "../../parts/time.tsx";
import type { ApiKey } from "./key-table.tsx";

export function RevokeKey({
  apiKey,
  onRevoked,
  onClose,
}: {
  apiKey: ApiKey;
  onRevoked: () => void;
  onClose: () => void;
}) {
  const revoke = async () => {
    const path = { id: apiKey.id };
    await answerOf(api.DELETE("/v1/keys/{id}", { params: { path } }));
    onRevoked();
  };
  return (
    <Confirm
      title={`Revoke the key ${apiKey.name}`}
      verb="Revoke the key"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        Programs that use it are refused within a second, and their open streams end. This cannot be
        undone: they will need a new key. Webhooks go on.
      </p>
      <p class="quiet">
        Last used: <Time at={apiKey.lastUsedAt} />. Its orders that are not sent yet are not sent.
      </p>
    </Confirm>
  );
}

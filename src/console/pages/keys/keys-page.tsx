import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Stale } from "../../parts/stale.tsx";
import { usePoll } from "../../shell/poll.ts";
import { CreateKey } from "./create-key.tsx";
import { type ApiKey, KeyTable } from "./key-table.tsx";
import { NewKey, newKey } from "./new-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";

const EVERY_MS = 10_000;

export function KeysPage() {
  const poll = usePoll("keys", () => answerOf(api.GET("/v1/keys")), { everyMs: EVERY_MS });
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <>
      <PageTitle title="API keys">
        <button type="button" class="primary" onClick={() => setIsCreating(true)}>
          Create a key
        </button>
      </PageTitle>
      <p class="quiet">
        A program proves itself with a key in the header <code>X-API-Key</code>. It can do what its
        scopes allow, on all your accounts. <a href="/api-docs">The API's documentation</a>
      </p>
      <Stale error={poll.error} since={poll.answeredAt} />
      <Keys keys={poll.data?.keys} onRevoke={setRevoked} />
      {isCreating && <CreateKey onCreated={poll.refresh} onClose={() => setIsCreating(false)} />}
      {revoked !== undefined && (
        <RevokeKey
          apiKey={revoked}
          onRevoked={poll.refresh}
          onClose={() => setRevoked(undefined)}
        />
      )}
      {newKey.value !== undefined && <NewKey {...newKey.value} />}
    </>
  );
}

function Keys({
  keys,
  onRevoke,
}: {
  keys: readonly ApiKey[] | undefined;
  onRevoke: (key: ApiKey) => void;
}) {
  if (keys === undefined) return <p class="quiet">One moment …</p>;
  const living = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const dead = keys.filter(({ revokedAt }) => revokedAt !== undefined);
  return (
    <>
      <Sheet title="In use">
        {living.length === 0 ? (
          <p class="empty">
            No key yet. Create one for each program of yours, so that you can revoke one without the
            others.
          </p>
        ) : (
          <KeyTable keys={living} onRevoke={onRevoke} />
        )}
      </Sheet>
      {dead.length > 0 && (
        <Sheet title="Revoked">
          <KeyTable keys={dead} />
        </Sheet>
      )}
    </>
  );
}

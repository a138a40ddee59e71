import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { Choice, TextField } from "../../parts/fields.tsx";
import { FormDialog, useForm } from "../../parts/form.tsx";
import { PageTitle, Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { type ApiKey, KeyTable, type Scope } from "./key-table.tsx";
import { NewKey, newKey } from "./new-key.tsx";

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

function CreateKey({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const { typed, onType, tie, action } = useForm({
    name: "",
    scopes: ["read"] as readonly Scope[],
  });
  const { scopes } = typed;
  const create = async () => {
    const body = { name: typed.name.trim(), scopes: [...scopes] };
    newKey.value = await answerOf(api.POST("/v1/keys", { body }));
    onCreated();
    onClose();
  };
  return (
    <FormDialog
      title="Create a key"
      action={action}
      verb="Create the key"
      isReady={scopes.length > 0}
      onSend={create}
      onClose={onClose}
    >
      <TextField
        {...tie("name")}
        label="Name"
        max={64}
        required
        hint="The program that will use it, so that you recognise it later."
      />
      <ScopeChoice scopes={scopes} onChange={(next) => onType({ scopes: next })} />
    </FormDialog>
  );
}

/**
 * Who trades wants to read too, so that comes along; it can be taken off again. What loosens a guard
 * never comes along.
 */
function ScopeChoice({
  scopes,
  onChange,
}: {
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}) {
  const set = (scope: Scope, isOn: boolean) => {
    const rest = scopes.filter((one) => one !== scope);
    if (!isOn) return onChange(rest);
    const first = scope === "read" || scope === "notify" ? [] : (["read"] as const);
    onChange([...new Set<Scope>([...first, ...rest, scope])]);
  };
  const choice = (scope: Scope, words: string) => (
    <Choice isChosen={scopes.includes(scope)} onChoose={(isOn) => set(scope, isOn)}>
      <span>
        <strong>{scope}</strong> <span class="quiet">{words}</span>
      </span>
    </Choice>
  );
  return (
    <fieldset>
      <legend>It may</legend>
      {choice("read", "accounts, positions, orders, alerts; it cannot change anything")}
      {choice(
        "trade",
        "place and cancel orders, close positions, lower limits, switch the kill switch on, change webhooks",
      )}
      {choice(
        "manage",
        "raise limits, switch the kill switch off, change connections: leave it out for a bot",
      )}
      {choice("notify", "see and change where notifications go, and send alarms there")}
      {scopes.length === 0 && <span class="wrong">Choose at least one.</span>}
    </fieldset>
  );
}

function RevokeKey({
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

import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { profileWord } from "./profiles.ts";
import { TargetOf } from "./target-of.tsx";
import type { CreatedWebhook, Targets, Webhook } from "./types.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookPage, WebhookState } from "./webhook-page.tsx";
import { creationOf, typedOf, type WebhookTyped } from "./webhook-typed.ts";

/** Said by hand, each of them is of no account in particular. */
const RHYTHM: Rhythm = { refreshOn: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll() {
  const [{ webhooks }, accounts, { accountGroups: groups }] = await Promise.all([
    answerOf(api.GET("/v1/webhooks")),
    readAccounts(),
    answerOf(api.GET("/v1/account-groups")),
  ]);
  return { webhooks, targets: { accounts, groups } };
}

type Read = Polled<Awaited<ReturnType<typeof readAll>>>;

/** All webhooks, or the one that the address names. */
export function WebhooksPage() {
  const poll = usePoll("webhooks", readAll, RHYTHM);
  const id = place.value.path[1];
  return id === undefined ? <List {...poll} /> : <One {...poll} id={id} />;
}

function One({ answeredAt, data, error, refresh, id }: Read & { id: string }) {
  const webhook = data?.webhooks.find((one) => one.id === id);
  return (
    <>
      {webhook === undefined && <PageTitle title="Webhook" />}
      <Stale error={error} since={answeredAt} />
      {data !== undefined && webhook === undefined && <p>This webhook no longer exists.</p>}
      {data !== undefined && webhook !== undefined && (
        <WebhookPage key={id} webhook={webhook} targets={data.targets} refresh={refresh} />
      )}
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Read) {
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const targets = data?.targets ?? { accounts: [], groups: [] };
  const { accounts } = targets;
  const first = accounts.find(({ active }) => active) ?? accounts[0];
  const create = async (typed: WebhookTyped) => {
    setCreated(await answerOf(api.POST("/v1/webhooks", { body: creationOf(typed) })));
    setIsCreating(false);
    refresh();
  };
  return (
    <>
      <PageTitle title="Webhooks">
        <span class="row">
          <a href="#/account-groups">Account groups</a>
          <a href="#/exit-plans">Exit plans</a>
          <button
            type="button"
            class="primary"
            disabled={first === undefined}
            onClick={() => setIsCreating(true)}
          >
            Create a webhook
          </button>
        </span>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Webhooks">
        {data === undefined ? (
          <p class="empty">One moment …</p>
        ) : (
          <WebhookTable webhooks={data.webhooks} targets={targets} refresh={refresh} />
        )}
      </section>
      {isCreating && (
        <WebhookForm
          title="Create a webhook"
          verb="Create it"
          targets={targets}
          start={typedOf(undefined, first?.id)}
          onSave={create}
          onClose={() => setIsCreating(false)}
        />
      )}
      {created !== undefined && (
        <CreatedUrl created={created} onClose={() => setCreated(undefined)} />
      )}
    </>
  );
}

function WebhookTable({
  webhooks,
  targets,
  refresh,
}: {
  webhooks: readonly Webhook[];
  targets: Targets;
  refresh: () => void;
}) {
  if (webhooks.length === 0) {
    return <p class="empty">No webhooks yet: create one, and paste its URL into an alert.</p>;
  }
  const columns: readonly Column<Webhook>[] = [
    { head: "Name", cell: ({ id, name }) => <a href={`#/webhooks/${id}`}>{name}</a> },
    {
      head: "Account",
      cell: (webhook) => (
        <span class="row">
          <TargetOf webhook={webhook} targets={targets} />
        </span>
      ),
    },
    { head: "Profile", cell: ({ profile }) => profileWord(profile) },
    {
      head: "State",
      cell: (webhook) => <WebhookState webhook={webhook} targets={targets} />,
    },
    { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt ?? undefined} /> },
    {
      head: ACTS,
      cell: (webhook) => <WebhookActions webhook={webhook} targets={targets} refresh={refresh} />,
    },
  ];
  return <CardTable rows={webhooks} keyOf={({ id }) => id} columns={columns} />;
}

/** The one time that a webhook's URL is shown, with a message to begin with. */
function CreatedUrl({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) {
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

import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { place } from "../../shell/router.ts";
import { CreatedUrl } from "./created-url.tsx";
import type { CreatedWebhook } from "./types.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { WebhookTable } from "./webhook-table.tsx";
import { creationOf, typedOf, type WebhookTyped } from "./webhook-typed.ts";

/** Said by hand, each of them is of no account in particular. */
const RHYTHM: Rhythm = { hears: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll() {
  const [{ webhooks }, { accounts }] = await Promise.all([
    answerOf(api.GET("/v1/webhooks")),
    answerOf(api.GET("/v1/accounts")),
  ]);
  return { webhooks, accounts };
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
        <WebhookPage key={id} webhook={webhook} accounts={data.accounts} refresh={refresh} />
      )}
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Read) {
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const accounts = data?.accounts ?? [];
  const first = accounts.find(({ active }) => active) ?? accounts[0];
  const create = async (typed: WebhookTyped) => {
    setCreated(await answerOf(api.POST("/v1/webhooks", { body: creationOf(typed) })));
    setIsCreating(false);
    refresh();
  };
  return (
    <>
      <PageTitle title="Webhooks">
        <button
          type="button"
          class="primary"
          disabled={first === undefined}
          onClick={() => setIsCreating(true)}
        >
          Create a webhook
        </button>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Webhooks">
        {data === undefined ? (
          <p class="empty">One moment …</p>
        ) : (
          <WebhookTable webhooks={data.webhooks} accounts={accounts} refresh={refresh} />
        )}
      </section>
      {isCreating && (
        <WebhookForm
          title="Create a webhook"
          verb="Create it"
          accounts={accounts}
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

import { expect, test } from "vitest";
import { accountId, userId } from "../../../../src/domain/ids.ts";
import {
  createWebhookUses,
  type ManageWebhooksDeps,
} from "../../../../src/trading/alerts/manage-webhooks.ts";

const CALLER = { userId: userId("u1"), receivedAt: 0 } as Parameters<
  ReturnType<typeof createWebhookUses>["createWebhook"]
>[0];

test.each([
  [999, "created"],
  [1_000, "TOO_MANY_WEBHOOKS"],
])("with %i webhooks another one is %s", async (count, expected) => {
  const uses = createWebhookUses({
    accounts: { requireActive: async () => undefined },
    credentials: {
      webhooks: async () => Array.from({ length: count }),
      createWebhook: async () => "created",
    },
  } as unknown as ManageWebhooksDeps);
  const made = uses
    .createWebhook(CALLER, { accountId: accountId("paper-1") })
    .catch((error: unknown) => (error as Error).name);
  expect(await made).toBe(expected);
});

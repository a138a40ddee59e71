import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Webhook = Schemas["Webhook"];
export type CreatedWebhook = Schemas["CreatedWebhook"];
export type CreateWebhookBody = Schemas["CreateWebhook"];
export type ChangeWebhookBody = Schemas["ChangeWebhook"];
export type Account = Schemas["Account"];
export type AccountGroup = Schemas["AccountGroup"];
export type Tested = Schemas["AlertTested"];
export type Profile = NonNullable<Webhook["profile"]>;

/** Where alerts can go. */
export interface Targets {
  readonly accounts: readonly Account[];
  readonly groups: readonly AccountGroup[];
}

import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type AlertLine = Schemas["LoggedAlertLine"];
export type WholeAlert = Schemas["LoggedAlert"];
export type AlertOutcome = AlertLine["outcome"];
export type Account = Schemas["Account"];
export type AccountGroup = Schemas["AccountGroup"];
export type Webhook = Schemas["Webhook"];

import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Destination = Schemas["Destination"];
export type Kind = Destination["kind"];
export type Rule = Schemas["NotificationRule"];
export type EventType = NonNullable<Rule["types"]>[number];
export type CreateDestinationBody = Schemas["CreateDestination"];
export type ChangeDestinationBody = Schemas["ChangeDestination"];
export type Undelivered = Schemas["UndeliveredEvent"];
export type Account = Schemas["Account"];

import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Connection = Schemas["Connection"];
export type ConnectionDetail = Schemas["ConnectionDetail"];
export type ConnectionTest = Schemas["ConnectionTest"];
export type Broker = Schemas["Broker"];
export type BrokerField = Schemas["BrokerField"];
export type Account = Schemas["Account"];
/** Which account, and whose money it is. */
export type AccountRef = Pick<Account, "id" | "name" | "environment">;
export type Position = Schemas["Position"];
export type WorkingOrder = Schemas["WorkingOrder"];
export type Limits = Schemas["Limits"];
export type KillSwitch = Schemas["KillSwitch"];
export type Flattened = Schemas["Flattened"];
export type Leg = Schemas["Leg"];

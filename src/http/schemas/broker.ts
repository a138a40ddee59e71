import { Type } from "@sinclair/typebox";
import { choice } from "./parts.ts";

const FieldReply = Type.Object(
  {
    name: Type.String({ description: "As the settings of POST /v1/connections have it" }),
    label: Type.String({ description: "For a form" }),
    type: choice(["text", "number", "boolean"]),
    required: Type.Boolean(),
    secret: Type.Boolean({ description: "Sealed where it is kept, and never shown again" }),
    description: Type.Optional(Type.String()),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: "What it is when it is left out",
      }),
    ),
  },
  { title: "BrokerField" },
);

export const BrokersReply = Type.Object(
  {
    brokers: Type.Array(
      Type.Object(
        {
          broker: Type.String({ examples: ["tradovate"] }),
          label: Type.String({ examples: ["Tradovate"] }),
          environments: Type.Array(choice(["demo", "live"])),
          fields: Type.Array(FieldReply),
        },
        { title: "Broker" },
      ),
    ),
  },
  { title: "Brokers" },
);

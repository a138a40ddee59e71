import { Type } from "@sinclair/typebox";
import { choice } from "./parts.ts";

export const AliveReply = Type.Object({ status: choice(["ok"]) }, { title: "Alive" });

export const ReadyReply = Type.Object(
  {
    ready: Type.Boolean(),
    checks: Type.Record(Type.String(), Type.Boolean(), { description: "Each part by its name" }),
    reasons: Type.Optional(
      Type.Array(Type.String(), { description: "What a person must put right, in words" }),
    ),
  },
  { title: "Ready" },
);

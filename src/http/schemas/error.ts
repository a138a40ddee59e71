import { Type } from "@sinclair/typebox";
import { ERRORS } from "../../errors.ts";
import { choice } from "./parts.ts";

const CODES = Object.keys(ERRORS);

export const ErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        code: choice(CODES, {
          description: "What went wrong, for programs. A status can have several codes",
        }),
        message: Type.String({ description: "What went wrong, for people" }),
        details: Type.Array(
          Type.Object({ path: Type.String(), message: Type.String() }, { title: "Problem" }),
          { description: "Each problem of a request that is not valid" },
        ),
        retry: choice(["never", "safe", "check-first"]),
        requestId: Type.String({ description: "Also in the X-Request-Id header" }),
        intentId: Type.Optional(
          Type.String({ description: "Where to look up what became of it, once it was accepted" }),
        ),
        alertId: Type.Optional(Type.String({ description: "On webhooks" })),
        duplicate: Type.Optional(Type.Boolean({ description: "On webhooks" })),
        unreadFields: Type.Optional(
          Type.Array(Type.String(), {
            description: "On webhooks: fields of the alert that were passed over",
          }),
        ),
      },
      { title: "ErrorBody" },
    ),
  },
  { title: "Error" },
);

import { type Static, Type } from "@sinclair/typebox";
import { FIRM_NAMES, firmLabel } from "./firms.ts";

const lookAlike = (title: string, description: string) =>
  Type.Optional(
    Type.String({
      // Credentials go there, so it may be nowhere but on this machine.
      pattern: "^http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d{1,5})?$",
      maxLength: 200,
      title,
      description,
    }),
  );

/** The settings of one ProjectX connection. */
export const ProjectXSettings = Type.Object(
  {
    firm: Type.Union(
      FIRM_NAMES.map((name) => Type.Literal(name, { title: firmLabel(name) })),
      { type: "string", title: "Firm", description: "The firm that the accounts are with" },
    ),
    userName: Type.String({
      minLength: 1,
      maxLength: 128,
      title: "User name",
      description: "User name of the login at the firm's platform; it is no email address",
    }),
    apiKey: Type.String({
      minLength: 1,
      maxLength: 512,
      title: "API key",
      description:
        "Made on the firm's platform (TopstepX: Settings, API), once API access is bought",
    }),
    marketData: Type.Optional(
      Type.Boolean({
        default: true,
        title: "Market data",
        description: "Takes quotes and bars from ProjectX; orders go without",
      }),
    ),
    liveCancels: Type.Optional(
      Type.Boolean({
        default: false,
        title: "Live accounts cancel orders",
        description:
          "Set it only if the firm confirmed that its live accounts cancel orders through the API. Without it, entries of such an account wait for a confirmation",
      }),
    ),
    restUrl: lookAlike(
      "Look-alike's REST address",
      "Address of a look-alike's REST service, on this machine only",
    ),
    rtcUrl: lookAlike(
      "Look-alike's hubs",
      "Address of a look-alike's SignalR hubs, on this machine only",
    ),
  },
  { title: "ProjectX (TopstepX)", additionalProperties: false },
);
export type ProjectXSettings = Readonly<Static<typeof ProjectXSettings>>;

/** The fields that are sealed where they are kept, and shown nowhere. */
export const PROJECTX_SECRETS = ["apiKey"] as const satisfies readonly (keyof ProjectXSettings)[];

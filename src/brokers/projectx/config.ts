import { type Static, Type } from "@sinclair/typebox";
import { FIRMS, type FirmName } from "./firms.ts";

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

const firm = (name: FirmName) => Type.Literal(name, { title: FIRMS[name].label });

/** The settings of one ProjectX connection. */
export const ProjectXSettings = Type.Object(
  {
    environment: Type.Union([Type.Literal("demo"), Type.Literal("live")], {
      default: "live",
      description:
        "Firms' accounts, evaluations too, are live; demo is ProjectX's own demo service",
    }),
    firm: Type.Union(
      [
        firm("topstep"),
        firm("alphaTicks"),
        firm("blueGuardian"),
        firm("blusky"),
        firm("e8"),
        firm("fundingFutures"),
        firm("theFuturesDesk"),
        firm("futuresElite"),
        firm("fxify"),
        firm("goatFunded"),
        firm("tickTickTrader"),
        firm("topOneFutures"),
        firm("tx3"),
      ],
      { type: "string", title: "Firm", description: "The firm that the accounts are with" },
    ),
    userName: Type.String({
      minLength: 1,
      maxLength: 128,
      title: "User name",
      description: "User name of the login at the firm",
    }),
    apiKey: Type.String({
      minLength: 1,
      maxLength: 512,
      title: "API key",
      description: "Made on the firm's platform, under API access; it is an add-on at some firms",
    }),
    marketData: Type.Optional(
      Type.Boolean({
        default: true,
        title: "Market data",
        description: "Takes quotes and bars from ProjectX; orders go without",
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
  { additionalProperties: false },
);
export type ProjectXSettings = Readonly<Static<typeof ProjectXSettings>>;

/** The fields that are sealed where they are kept, and shown nowhere. */
export const PROJECTX_SECRETS = ["apiKey"] as const satisfies readonly (keyof ProjectXSettings)[];

import { type Static, Type } from "@sinclair/typebox";

const word = (title: string, description: string, maxLength = 64) =>
  Type.String({ minLength: 1, maxLength, title, description });

const lookAlike = (scheme: string, title: string, description: string) =>
  Type.Optional(
    Type.String({
      // Credentials go there, so it may be nowhere but on this machine.
      pattern: `^${scheme}://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d{1,5})?(/[\\w./-]*)?$`,
      maxLength: 200,
      title,
      description,
    }),
  );

/** The settings of one Tradovate connection. Lengths are those of Tradovate's specification. */
export const TradovateSettings = Type.Object(
  {
    environment: Type.Union([Type.Literal("demo"), Type.Literal("live")], {
      default: "demo",
      description: "Demo and live are separate worlds with accounts of their own",
    }),
    name: word("User name", "User name of the Tradovate login"),
    password: word("Password", "Password of the login, or the dedicated API password"),
    appId: Type.String({
      minLength: 1,
      maxLength: 64,
      default: "alert-gateway",
      title: "Application name",
      description: "Name of the application as registered with the API key",
    }),
    appVersion: Type.String({
      minLength: 1,
      maxLength: 64,
      default: "1.0",
      title: "Application version",
      description: "Version of the application as registered with the API key",
    }),
    cid: Type.String({
      pattern: "^\\d{1,19}$",
      title: "API client id",
      description: "Client id of the API key",
    }),
    sec: word("API secret", "Secret of the API key", 8_192),
    marketData: Type.Optional(
      Type.Boolean({
        default: true,
        title: "Market data",
        description:
          "Takes quotes and bars from Tradovate, which needs a market data subscription for API use; orders go without",
      }),
    ),
    restUrl: lookAlike(
      "http",
      "Look-alike's REST address",
      "Base of a look-alike's REST endpoints, on this machine only",
    ),
    wsUrl: lookAlike(
      "ws",
      "Look-alike's WebSocket",
      "WebSocket of a look-alike, on this machine only",
    ),
    mdUrl: lookAlike(
      "ws",
      "Look-alike's market data",
      "WebSocket for market data of a look-alike, on this machine only; without it there are none",
    ),
  },
  { additionalProperties: false },
);
export type TradovateSettings = Readonly<Static<typeof TradovateSettings>>;

/** The fields that are sealed where they are kept, and shown nowhere. */
export const TRADOVATE_SECRETS = [
  "password",
  "sec",
] as const satisfies readonly (keyof TradovateSettings)[];

import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** What a setting's schema has beside JSON Schema. The table and the error texts use it. */
export interface SettingNotes {
  readonly description: string;
  /** The valid values in words, if the schema's keywords do not express them well. */
  readonly expects?: string;
  /** The value is never shown, and may come from a file named by `<NAME>_FILE`. */
  readonly secret?: boolean;
}

/** The form of an address or a network; the start parses it exactly. */
const NETWORK = "(\\d+(\\.\\d+){3}(/\\d{1,2})?|[\\dA-Fa-f]*:[\\dA-Fa-f:.]+(/\\d{1,3})?)";
const PROXY = `(loopback|${NETWORK})`;

/** A root, or all that are not named, and its fee. */
const FEE = "(\\*|[A-Z0-9]{1,4})=\\d{1,6}(\\.\\d{1,6})?";

/** A header's name and value; other characters of ASCII percent-encoded, as OpenTelemetry writes them. */
const HEADER = "[A-Za-z0-9_.-]+=([!-$&-+.-~-]|%[2-7][0-9A-Fa-f])*";

/** Every setting the gateway reads. Its type, default, check, table and example come from here. */
export const ConfigSchema = Type.Object(
  {
    PORT: integer(8080, 0, 65_535, "HTTP port; 0 takes any free one"),
    HOST: text("127.0.0.1", "Address to listen on; `0.0.0.0` for every network", {
      pattern: "^[A-Za-z0-9._:%-]+$",
      expects: "an address such as 127.0.0.1 or 0.0.0.0",
    }),
    PUBLIC_URL: optionalText("What printed URLs start with; without it, `http://HOST:PORT`", {
      pattern: "^https?://[^/?#@\\s]+(/[^/?#\\s]+)*$",
      expects: "a URL such as https://gateway.example.com, without a slash at its end",
    }),
    DATA_DIR: text("./data", "Folder for everything that must survive a restart", {
      expects: "a path",
    }),

    ROLE: choice(
      "all",
      ["all", "ingress", "worker"],
      "What this process does: answer HTTP (ingress), own connections and lanes (worker), or both",
    ),
    PROCESSES: optionalText(
      "Start several processes on this machine and keep them running, e.g. `ingress=2,worker=2`",
      {
        pattern: "^ingress=[1-9]\\d?,worker=[1-9]\\d?$",
        expects: "numbers of processes such as ingress=2,worker=2",
      },
    ),
    WORKER_MAX_CONNECTIONS: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          "Broker connections that this process owns at most; without it, its share of all",
      }),
    ),
    OPERATIONS_PORT: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          "Port for health and metrics of this process alone; without it, they are on PORT",
      }),
    ),

    TRUSTED_PROXIES: optionalText(
      "Reverse proxies whose X-Forwarded-For is believed, e.g. `loopback,10.0.0.0/8`; without it, none is believed",
      {
        pattern: `^${PROXY}(,${PROXY})*$`,
        expects: "addresses and networks such as 10.0.0.7,10.1.0.0/16, or the word loopback",
      },
    ),

    SEALING_KEY: optionalText(
      "Key that seals the credentials of brokers; without it, `sealing.key` in DATA_DIR, which is created when needed",
      {
        pattern: "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
        expects: "32 random bytes in base64, as openssl rand -base64 32 prints them",
        secret: true,
      },
    ),

    REDIS_URL: optionalText(
      "Your own Redis or Valkey; without it, the gateway runs its own in DATA_DIR",
      {
        pattern:
          "^(rediss?(\\+cluster)?://[^\\s]+|rediss?\\+sentinel://[^\\s/]+/[^\\s/]+|unix:/[^\\s]*|/[^\\s]*)$",
        expects:
          "redis://HOST:PORT, rediss://HOST:PORT, several with commas between them or redis+cluster://HOST:PORT for a Cluster, redis+sentinel://HOST:PORT,HOST:PORT/NAME or unix:/path/to/redis.sock",
        secret: true,
      },
    ),
    STORE_ID: optionalText(
      "Which store REDIS_URL has to be, as the first start named it; without it, `store.json` in DATA_DIR remembers it",
      { pattern: "^[0-9a-f-]{36}$", expects: "the id that the first start logged" },
    ),
    REDIS_SERVER_BIN: optionalText(
      "Redis server program for the gateway's own Redis; without it, PATH is searched",
      { expects: "a path" },
    ),
    ALLOW_UNSAFE_REDIS: flag(
      "Start even if the Redis may lose accepted orders, and warn in the log",
    ),

    ALLOW_LOCAL_BROKERS: flag(
      "Let connections name addresses on this machine as their broker, for simulators",
    ),

    NOTIFY_ALLOW_PRIVATE: optionalText(
      "Private networks in which users' notifications may be sent, there also by plain HTTP, e.g. `192.168.1.0/24`; without it, only public addresses by HTTPS",
      {
        pattern: `^${NETWORK}(,${NETWORK})*$`,
        expects: "addresses and networks such as 192.168.1.20,10.1.0.0/16",
      },
    ),

    LOG_LEVEL: choice("info", ["debug", "info", "warn", "error"], "Lowest level to log"),

    OTEL_EXPORTER_OTLP_ENDPOINT: optionalText(
      "Where traces go: an OTLP receiver over HTTP, e.g. `http://collector:4318`; without it, there are none",
      {
        pattern: "^https?://[^/?#@\\s]+(/[^/?#\\s]+)*$",
        expects: "a URL such as http://127.0.0.1:4318, without a slash at its end",
      },
    ),
    OTEL_EXPORTER_OTLP_HEADERS: optionalText(
      "Headers that the receiver of traces asks for, e.g. `authorization=Bearer%20x`",
      {
        pattern: `^${HEADER}(,${HEADER})*$`,
        expects: "name=value with commas between several, and other characters as %20",
        secret: true,
      },
    ),

    METRICS_PER_ACCOUNT: flag("Export what is open on each lane as a metric by account"),

    RATE_LIMIT_PER_MINUTE: integer(120, 1, 1_000_000, "Requests per API key and minute"),
    WEBHOOK_RATE_LIMIT_PER_MINUTE: integer(120, 1, 1_000_000, "Alerts per webhook and minute"),

    ENTRY_MAX_AGE_SECONDS: integer(
      30,
      1,
      3_600,
      "Age at which an unsent order that opens or grows a position is dropped",
    ),
    EXIT_MAX_AGE_SECONDS: integer(
      600,
      1,
      86_400,
      "Age at which an unsent order that reduces a position is dropped, with an alarm",
    ),
    MARKET_HOURS: choice(
      "exchange",
      ["exchange", "always"],
      "Exits are held while the exchange's hours say that nothing trades; `always` for a broker's simulator that trades at any time",
    ),
    MAX_ORDERS_PER_MINUTE: integer(600, 1, 1_000_000, "Orders per minute, all accounts together"),
    DEFAULT_MAX_ORDER_QTY: integer(
      50,
      1,
      10_000,
      "Contracts per order, unless the account's own limit says otherwise",
    ),
    DEFAULT_MAX_POSITION_QTY: integer(
      100,
      1,
      100_000,
      "Largest position per symbol, unless the account's own limit says otherwise",
    ),
    DEFAULT_MAX_ORDERS_PER_MINUTE: integer(
      120,
      1,
      1_000_000,
      "Orders per account and minute, unless the account's own limit says otherwise",
    ),

    PAPER_ACCOUNTS: text("1-2", "Paper accounts that exist, for example `1-2` or `1,2,5-9`", {
      pattern: "^[1-9]\\d{0,5}(-[1-9]\\d{0,5})?(,[1-9]\\d{0,5}(-[1-9]\\d{0,5})?)*$",
      expects: "account numbers and ranges such as 1-2 or 1,2,5-9",
    }),
    PAPER_FEED: choice(
      "seeded",
      ["seeded", "bars", "manual"],
      "Where paper prices come from: made up, replayed from PAPER_BAR_FILE, or set by a test",
    ),
    PAPER_SEED: integer(1, 0, 2_147_483_647, "Number from which the made-up prices are derived"),
    PAPER_BAR_FILE: optionalText("CSV file of price bars to replay; needed with PAPER_FEED=bars", {
      expects: "a path",
    }),
    PAPER_BAR_ROOT: optionalText("Root whose prices are in PAPER_BAR_FILE, such as `ES`", {
      pattern: "^[A-Z0-9]{1,4}$",
      expects: "a root such as ES",
    }),
    PAPER_BAR_SPEED: integer(
      60,
      1,
      86_400,
      "How many times faster than real time bars are replayed",
    ),
    PAPER_BARS_ONCE: flag("Stop at the end of PAPER_BAR_FILE instead of starting over"),
    PAPER_SESSION_HOURS: flag("Refuse paper orders outside each product's trading hours"),
    PAPER_START_BALANCE: integer(
      50_000,
      0,
      1_000_000_000,
      "Dollars with which each paper account began; a change adds to, or takes from, all of them",
    ),
    PAPER_FEES: text(
      "*=0",
      "What a paper fill costs for each contract, by root and in its currency, e.g. `ES=2.25,MES=0.62,*=0`",
      {
        pattern: `^${FEE}(,${FEE})*$`,
        expects: "fees such as ES=2.25,MES=0.62,*=0, where * is every other root",
      },
    ),

    EXPECTED_FEES: text(
      "",
      "What a fill is counted to cost until its broker has said it, as in PAPER_FEES; nothing where not set",
      {
        pattern: `^(${FEE}(,${FEE})*)?$`,
        expects: "fees such as ES=2.25,MES=0.62,*=1, where * is every other root",
      },
    ),

    SHUTDOWN_SECONDS: integer(20, 1, 600, "Longest time to finish open work at a stop"),
    RECORD_RETENTION_DAYS: integer(7, 1, 365, "How long finished orders can be read"),
    LEDGER_MAX_LINES: integer(
      100_000,
      1_000,
      10_000_000,
      "How many lines of an account's ledger stay in Redis; older ones move to files in DATA_DIR/ledger",
    ),
    ALERT_RETENTION_DAYS: integer(
      30,
      1,
      3_650,
      "How long alerts and their outcomes can be read; never less than RECORD_RETENTION_DAYS",
    ),
  },
  { additionalProperties: false },
);

/** The settings as one frozen value. A setting that was left out has no key. */
export type Config = Readonly<Static<typeof ConfigSchema>>;

export type SettingName = keyof Config;

/** One setting as data, for everything that reads the whole list. */
export type Setting = TSchema & SettingNotes & { readonly enum?: readonly string[] };

/** In the order of the table. */
export const SETTINGS = Object.entries(ConfigSchema.properties) as unknown as readonly (readonly [
  SettingName,
  Setting,
])[];

/** The valid values, as the end of a sentence that starts with "must be". */
export function expectation(setting: Setting): string {
  if (setting.expects !== undefined) return setting.expects;
  if (setting["type"] === "boolean") return "true or false";
  if (setting.enum !== undefined) return `one of ${setting.enum.join(", ")}`;
  if (setting["type"] === "integer") {
    return `a whole number from ${setting["minimum"]} to ${setting["maximum"]}`;
  }
  return "text";
}

type TextNotes = Partial<SettingNotes> & { readonly pattern?: string };

function text(byDefault: string, description: string, notes: TextNotes = {}) {
  return Type.String({ ...notes, default: byDefault, description });
}

function optionalText(description: string, notes: TextNotes = {}) {
  return Type.Optional(Type.String({ ...notes, description }));
}

function integer(byDefault: number, minimum: number, maximum: number, description: string) {
  return Type.Integer({ minimum, maximum, default: byDefault, description });
}

function flag(description: string) {
  return Type.Boolean({ default: false, description });
}

function choice<const Choice extends string>(
  byDefault: NoInfer<Choice>,
  choices: readonly Choice[],
  description: string,
) {
  return Type.Unsafe<Choice>({ type: "string", enum: choices, default: byDefault, description });
}

import {
  type HubConnection,
  HubConnectionBuilder,
  type HubMessage,
  HttpTransportType,
  type IHubProtocol,
  type ILogger,
  JsonHubProtocol,
  LogLevel,
} from "@microsoft/signalr";

export interface HubLinkDeps {
  readonly url: string;
  readonly token: () => string | undefined;
  /** By the names of the events that are listened to. */
  readonly events: Readonly<Record<string, (...payload: readonly unknown[]) => void>>;
  /** Something came, whatever it was: pings included. */
  readonly onHeard: () => void;
  /** A record came that cannot be read, whatever it told. */
  readonly onUnreadable?: () => void;
  /** Something could not be read, or went wrong: the link goes on. */
  readonly onTrouble: (error: unknown) => void;
}

const OPENS_WITHIN_MS = 15_000;
const ANSWERS_WITHIN_MS = 10_000;
const CLOSES_WITHIN_MS = 2_000;
const MOST_TROUBLES = 100;
const END_OF_RECORD = "\u001e";

/** One connection to a hub of ProjectX, for as long as it stands: nothing here connects again. */
export class HubLink {
  /** Rejects when the link has ended; never resolves. */
  readonly broken: Promise<never>;

  readonly #connection: HubConnection;
  readonly #token: () => string | undefined;
  #reject: (cause: Error) => void = () => undefined;

  constructor(deps: HubLinkDeps) {
    const { url, token, events, onTrouble } = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    this.broken.catch(() => undefined);
    this.#token = token;
    // The documents name the token in the address as well as in the header.
    const withToken = () => `${url}?access_token=${encodeURIComponent(token() ?? "")}`;
    this.#connection = new HubConnectionBuilder()
      .withUrl(withToken(), {
        skipNegotiation: true,
        transport: HttpTransportType.WebSockets,
        accessTokenFactory: () => token() ?? "",
      })
      .withHubProtocol(new LenientProtocol(deps))
      .configureLogging(quietLogger(onTrouble))
      .build();
    for (const [name, hear] of Object.entries(events)) {
      this.#connection.on(name, (...payload: readonly unknown[]) => {
        try {
          hear(...payload);
        } catch (error) {
          onTrouble(error);
        }
      });
    }
    this.#connection.onclose((cause) => {
      this.#reject(new Error(`ProjectX's hub has closed the link${because(cause)}`));
    });
  }

  /** Resolves when the hub takes calls. */
  async open(): Promise<void> {
    if (this.#token() === undefined) throw new Error("There is no token for the hub");
    await within(this.#connection.start(), OPENS_WITHIN_MS, "ProjectX's hub does not answer");
  }

  /** Resolves when the hub has said that it did so. */
  async call(method: string, ...args: readonly unknown[]): Promise<void> {
    const words = `ProjectX's hub does not answer ${method}`;
    await within(this.#connection.invoke(method, ...args), ANSWERS_WITHIN_MS, words);
  }

  /** Ends the link for a reason of ours. */
  end(cause: Error): void {
    this.#reject(cause);
  }

  async close(): Promise<void> {
    // A link that is still being opened is left to its end.
    await within(this.#connection.stop(), CLOSES_WITHIN_MS, "").catch(() => undefined);
  }
}

/** SignalR's own protocol gives the whole link up for one record that it cannot read. */
class LenientProtocol implements IHubProtocol {
  readonly #json = new JsonHubProtocol();
  readonly name = this.#json.name;
  readonly version = this.#json.version;
  readonly transferFormat = this.#json.transferFormat;
  readonly #deps: Pick<HubLinkDeps, "onHeard" | "onUnreadable" | "onTrouble">;

  constructor(deps: Pick<HubLinkDeps, "onHeard" | "onUnreadable" | "onTrouble">) {
    this.#deps = deps;
  }

  parseMessages(input: string | ArrayBuffer | Buffer, logger: ILogger): HubMessage[] {
    this.#deps.onHeard();
    if (typeof input !== "string") return [];
    return input.split(END_OF_RECORD).flatMap((record) => {
      if (record === "") return [];
      try {
        return this.#json.parseMessages(`${record}${END_OF_RECORD}`, logger);
      } catch (cause) {
        this.#deps.onTrouble(new Error("ProjectX's hub sent what cannot be read", { cause }));
        this.#deps.onUnreadable?.();
        return [];
      }
    });
  }

  writeMessage(message: HubMessage): string {
    return this.#json.writeMessage(message);
  }
}

/** Tells each trouble once; addresses with a token in them are not repeated. */
function quietLogger(onTrouble: (error: unknown) => void): ILogger {
  const told = new Set<string>();
  return {
    log: (level, message) => {
      // What it calls an error ends the link, and is heard of by that.
      if (level !== LogLevel.Warning || told.has(message) || told.size >= MOST_TROUBLES) return;
      told.add(message);
      onTrouble(new Error(message.replaceAll(/access_token=[^&\s]*/g, "access_token=…")));
    },
  };
}

const because = (cause: Error | undefined): string =>
  cause === undefined ? "" : `: ${cause.message}`;

async function within<Value>(step: Promise<Value>, ms: number, words: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(words)), ms);
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}

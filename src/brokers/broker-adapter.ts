import type { BrokerLacks } from "../domain/broker-lacks.ts";
import type { ServiceEnvironment } from "../domain/environment.ts";
import type { ValueSource } from "../trading/money/ports.ts";
import type { Broker, ReportListener } from "../trading/ports.ts";

/** What a broker can do by itself; what it cannot, the gateway does for it or refuses by name. */
export interface BrokerCapabilities {
  /** Legs of a bracket live at the broker from the entry on. */
  readonly nativeBracket: boolean;
  /** The broker itself cancels one leg when the other fills. */
  readonly nativeOco: boolean;
  /** Cancelling one leg of a pair by hand ends the other one too. */
  readonly cancelEndsLinkedLeg: boolean;
  /** A trailing stop that names no start begins at the market; otherwise it must name one. */
  readonly trailsFromMarket: boolean;
  /** It trades in the hours of the exchanges alone; otherwise at any time. */
  readonly keepsHours: boolean;
  /** An order with a clOrdId that was used before is refused: only then may an order be resent. */
  readonly refusesDuplicates: boolean;
  /** What of an order it cannot do at all; orders that ask for it never reach the adapter. */
  readonly lacks: BrokerLacks;
}

/** What every broker folder implements, and nothing a route may see. One adapter is one connection. */
export interface BrokerAdapter extends Broker, ValueSource {
  /** The broker's name, for example `paper`; also the folder's. */
  readonly broker: string;
  readonly environment: ServiceEnvironment;
  readonly capabilities: BrokerCapabilities;

  /**
   * Runs one session. Resolves when `signal` ended it, rejects when it broke: with
   * `CredentialsRefusedError` or `SessionImpossibleError` where the broker's word means that trying
   * again would do harm or no good, with any other error to be tried again. `onReady` is called
   * once accounts, orders and positions are loaded; before that, and after the end, commands answer
   * `notSent` and reads throw `BrokerReadError`. `onWait` is called when the broker's rules put the
   * login off, with for how long. `onAccounts` is called when `accounts` may answer otherwise from now
   * on: an account may trade again, or may not any more.
   */
  runSession(session: {
    readonly signal: AbortSignal;
    readonly onReady: () => void;
    readonly onWait?: (ms: number) => void;
    readonly onAccounts?: () => void;
  }): Promise<void>;

  /**
   * When the broker was last heard of in this session, heartbeats included, by `performance.now()`;
   * undefined before its first word. The supervisor ends a session that has been silent for
   * `silentAfterMs`, so a heartbeat that is answered must come several times as often.
   */
  readonly lastMessageAt?: () => number | undefined;
  readonly silentAfterMs?: number;

  /**
   * Why nothing may be opened now though the session stands, in words: the broker's word on what is
   * held cannot be relied on. Orders that add risk answer `notSent` meanwhile, and exits go on.
   */
  readonly entriesHeld?: () => string | undefined;

  /** Returns the function that unsubscribes. */
  onReport(listener: ReportListener): () => void;
}

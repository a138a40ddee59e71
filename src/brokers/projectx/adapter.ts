import type { ConnectionId } from "../../domain/ids.ts";
import type { AdapterMemory } from "../broker-kind.ts";
import type { ContractTerms } from "./contract-desk.ts";
import type { ProjectXObserver } from "./observer.ts";
import type { RateLimit } from "./rate-budget.ts";
import type { ProjectXHosts } from "./urls.ts";

export interface ProjectXAdapterDeps {
  readonly connectionId: ConnectionId;
  readonly environment: "demo" | "live";
  readonly hosts: ProjectXHosts;
  readonly userName: string;
  readonly apiKey: string;
  /** Whether quotes and bars are wanted; they are where it is not said. */
  readonly marketData?: boolean | undefined;
  readonly contracts: ContractTerms;
  readonly observer: ProjectXObserver;
  readonly now: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
  /**
   * Asked in the same turn of the event loop in which a login or command is written; false means
   * `notSent`.
   */
  readonly mayWrite?: () => boolean;
  /** Of everything but bars, which have a budget of their own. */
  readonly limit?: RateLimit;
  /** What the next owner goes on from: the token, and which exits entries were placed with. */
  readonly memory?: AdapterMemory | undefined;
}

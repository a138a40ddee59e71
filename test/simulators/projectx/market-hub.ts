import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Fill } from "../../../src/domain/order.ts";
import type { HubSettings } from "./hub-settings.ts";
import type { HubCall, HubSocket } from "./hub-socket.ts";
import { type MarketTape, type Quoted, toDepth, toQuote, toTrade } from "./market-tape.ts";
import { type CarriedOut, failed, wrongCount } from "./user-hub.ts";

/** What a subscription is about, by the end of its method's name. */
const CHANNELS = ["Quotes", "Trades", "MarketDepth"] as const;
type Channel = (typeof CHANNELS)[number];

const TARGETS: Readonly<Record<Channel, string>> = {
  Quotes: "GatewayQuote",
  Trades: "GatewayTrade",
  MarketDepth: "GatewayDepth",
};
/** Which every quote has. */
const ALWAYS: ReadonlySet<string> = new Set(["symbol", "lastUpdated", "timestamp"]);
/** What a quote has that repeats what stands. */
const REPEATED: ReadonlySet<string> = new Set([...ALWAYS, "lastPrice", "bestBid", "bestAsk"]);

export interface MarketHubDeps {
  readonly settings: (user: string) => HubSettings;
  readonly tape: MarketTape;
  /** Whether the user's hubs are told nothing at the moment, though they are open. */
  readonly isDeaf: (user: string) => boolean;
}

/** What stands still; without a name, all of it. */
export interface Freeze {
  readonly contract?: ContractCode | undefined;
  readonly user?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

interface Viewer {
  readonly user: string;
  readonly contracts: Readonly<Record<Channel, Set<string>>>;
  /** What it was told last, by contract. */
  readonly told: Map<string, Fields>;
}

/** Quotes, trades and the top of the book, to who has subscribed to a contract. */
export class MarketHub {
  readonly #deps: MarketHubDeps;
  readonly #viewers = new Map<HubSocket, Viewer>();
  #frozen: readonly Freeze[] = [];

  constructor(deps: MarketHubDeps) {
    this.#deps = deps;
  }

  welcome(socket: HubSocket, user: string): void {
    const contracts = { Quotes: new Set<string>(), Trades: new Set<string>() };
    this.#viewers.set(socket, {
      user,
      contracts: { ...contracts, MarketDepth: new Set<string>() },
      told: new Map(),
    });
  }

  leave(socket: HubSocket): void {
    this.#viewers.delete(socket);
  }

  /** Of a contract that nobody knows nothing is ever told. */
  call({ target, args }: HubCall, socket: HubSocket): CarriedOut {
    const [, how, name] = /^(Subscribe|Unsubscribe)Contract(\w+)$/.exec(target) ?? [];
    const channel = CHANNELS.find((each) => each === name);
    const viewer = this.#viewers.get(socket);
    if (channel === undefined || viewer === undefined) {
      return { outcome: { error: `Unknown hub method '${target}'` } };
    }
    if (args.length !== 1) return { outcome: wrongCount(args.length, 1) };
    const [contractId] = args;
    if (typeof contractId !== "string") return { outcome: failed(target) };
    const done = { outcome: { result: null } };
    if (how === "Unsubscribe") {
      viewer.contracts[channel].delete(contractId);
      return done;
    }
    viewer.contracts[channel].add(contractId);
    viewer.told.delete(contractId);
    if (!this.#deps.settings(viewer.user).quotesOnSubscribe) return done;
    return { ...done, afterwards: () => this.#tellPresent(socket, viewer, channel, contractId) };
  }

  /** The street shows another quote. */
  quoted(contract: ContractCode): void {
    const quoted = this.#deps.tape.byCode(contract);
    if (quoted === undefined) return;
    for (const [socket, viewer] of this.#viewers) {
      this.#tellQuote(socket, viewer, quoted);
      this.#tellDepth(socket, viewer, quoted);
    }
  }

  /** Somebody has traded. */
  traded(fill: Fill): void {
    const quoted = this.#deps.tape.byCode(fill.contract);
    if (quoted === undefined) return;
    for (const [socket, viewer] of this.#viewers) {
      this.#tell(socket, viewer, "Trades", quoted, [toTrade(fill, quoted)]);
    }
    this.quoted(fill.contract);
  }

  /** Real prices never rest: what stands is told again, or what of it a sparse quote would have. */
  repeat(): void {
    for (const [socket, viewer] of this.#viewers) {
      for (const contractId of viewer.contracts.Quotes) {
        const quoted = this.#deps.tape.byId(contractId);
        if (quoted !== undefined) this.#tellQuote(socket, viewer, quoted, REPEATED);
      }
    }
  }

  freeze(freeze: Freeze): void {
    this.#frozen = [...this.#frozen, freeze];
  }

  /** Ends what was frozen for the same contract and user; without both, everything. */
  thaw({ contract, user }: Freeze): void {
    this.#frozen = this.#frozen.filter(
      (each) =>
        (contract !== undefined && each.contract !== contract) ||
        (user !== undefined && each.user !== user),
    );
  }

  #tellPresent(socket: HubSocket, viewer: Viewer, channel: Channel, contractId: string): void {
    const quoted = this.#deps.tape.byId(contractId);
    if (quoted === undefined) return;
    if (channel === "Quotes") this.#tellQuote(socket, viewer, quoted);
    if (channel === "MarketDepth") this.#tellDepth(socket, viewer, quoted);
  }

  #tellQuote(
    socket: HubSocket,
    viewer: Viewer,
    quoted: Quoted,
    repeated: ReadonlySet<string> = ALWAYS,
  ): void {
    const contractId = quoted.listed.entity.id;
    const { sparseQuotes, quoteOmits } = this.#deps.settings(viewer.user);
    const before = viewer.told.get(contractId) ?? {};
    const whole: Fields = toQuote(quoted);
    const isTold = ([name, value]: [string, unknown]) =>
      !quoteOmits.includes(name) && (!sparseQuotes || repeated.has(name) || before[name] !== value);
    const quote = Object.fromEntries(Object.entries(whole).filter(isTold));
    const isSent = this.#tell(socket, viewer, "Quotes", quoted, [quote]);
    if (isSent) viewer.told.set(contractId, whole);
  }

  #tellDepth(socket: HubSocket, viewer: Viewer, quoted: Quoted): void {
    this.#tell(socket, viewer, "MarketDepth", quoted, toDepth(quoted));
  }

  /** Whether it was sent: to who has subscribed, and unless it is frozen. */
  #tell(
    socket: HubSocket,
    { user, contracts }: Viewer,
    channel: Channel,
    { listed: { code, entity } }: Quoted,
    items: readonly object[],
  ): boolean {
    if (!contracts[channel].has(entity.id)) return false;
    if (this.#deps.isDeaf(user) || this.#isFrozen(code, user)) return false;
    const payloads = this.#deps.settings(user).quotesInArrays ? [items] : items;
    for (const payload of payloads) socket.tell(TARGETS[channel], [entity.id, payload]);
    return true;
  }

  #isFrozen(code: ContractCode, user: string): boolean {
    return this.#frozen.some(
      ({ contract = code, user: of = user }) => contract === code && of === user,
    );
  }
}

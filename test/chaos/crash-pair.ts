import { accountId, connectionId } from "../../src/domain/ids.ts";
import type { AnswerTimes } from "../../src/trading/orders/answer-times.ts";
import { type ApiClient, apiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { ask, type Request } from "./ask.ts";
import { type SentOrder, readBrokerLog } from "./broker-view.ts";
import { type Cluster, reportDeath, startCluster } from "./cluster.ts";
import { toStored } from "./collect.ts";
import type { CrashOrder } from "./crash-points.ts";
import type { StoredIntent } from "./history.ts";
import type { Attempt, Call } from "./ledger.ts";
import type { Member } from "./member.ts";

const SHAPE = {
  connections: 1,
  accountsPerConnection: 200,
  groupsPerConnection: 0,
  followersPerGroup: 0,
  strategiesPerConnection: 0,
  guardedPerConnection: 0,
  loadMs: 0,
  intentsPerSecond: 0,
  faultEveryMs: 0,
};
/** Either can be asked for what it owns, and for what the other one owns. */
const SEATS = [
  { role: "all", isProxied: false },
  { role: "all", isProxied: false },
] as const;
const UP_WITHIN_MS = 60_000;
/** A busy machine takes long until another process goes on, and no intent may grow too old meanwhile. */
const MAX_AGE_SECONDS = 300;
/** Nor is it refused there, or turned away from the way on which somebody is to die. */
const ANSWER_TIMES: AnswerTimes = { acceptMs: 30_000, aheadMs: 1_000 };

/** Who owns the connection now, and who does not. */
export interface Roles {
  readonly owner: Member;
  readonly other: Member;
}

/** An intent as a process that died left it. */
export interface LeftBehind extends StoredIntent {
  /** It was begun in the very step that accepted it. */
  readonly isBegunAtOnce: boolean;
  /** Its job is active in the hands of that process. */
  readonly isInHand: boolean;
}

/** Two processes of the gateway at one connection, of which one dies and the other goes on. */
export class CrashPair {
  static readonly CONNECTION = connectionId("sim-1");
  readonly cluster: Cluster;
  readonly apiKey: string;
  /** Everything that was asked, for the verdict on all of it. */
  readonly calls: Call[] = [];
  readonly #hooks = new Map<string, string>();
  #accounts = 0;
  #requests = 0;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    this.apiKey = cluster.members.find(({ apiKey }) => apiKey !== undefined)?.apiKey ?? "";
  }

  static async start(logFile: string): Promise<CrashPair> {
    const cluster = await startCluster({
      shape: SHAPE,
      seats: SEATS,
      broker: "tradovate",
      logFile,
      maxAgeSeconds: MAX_AGE_SECONDS,
      answerTimes: ANSWER_TIMES,
    });
    return new CrashPair(cluster);
  }

  /** An account that nothing was asked of, with a webhook. */
  async newAccount(): Promise<string> {
    const account = this.cluster.called[(this.#accounts += 1)];
    if (account === undefined) throw new Error("There are no accounts left");
    const { status, body } = await this.#api().post("/v1/webhooks", { accountId: account });
    if (status !== 201) throw new Error(`No webhook for ${account}: ${status}`);
    this.#hooks.set(account, new URL(body.url as string).pathname);
    return account;
  }

  /** How often somebody was to die: each time on an account of its own. */
  get tries(): number {
    return this.#accounts;
  }

  hookOf(account: string): string {
    return this.#hooks.get(account) ?? "";
  }

  /** Both serve, and one of them owns the connection. */
  async roles(): Promise<Roles> {
    const { members, leases } = this.cluster;
    let roles: Roles | undefined;
    await waitUntil(
      "the connection stands",
      async () => {
        const lease = await leases.read(CrashPair.CONNECTION);
        const owner = members.find(({ processId }) => processId === lease?.owner);
        const other = members.find((one) => one !== owner);
        const stands = members.every(({ isUp }) => isUp) && lease?.status === "CONNECTED";
        if (stands && owner !== undefined && other !== undefined) roles = { owner, other };
        return roles !== undefined;
      },
      UP_WITHIN_MS,
    );
    return roles as unknown as Roles;
  }

  async ask(member: Member, request: Request): Promise<Attempt> {
    this.#requests += 1;
    return await ask(member, request, { apiKey: this.apiKey, requestId: `r${this.#requests}` });
  }

  /** It has heard the order, or obeys the one before, when this resolves. */
  async order(member: Member, crash: CrashOrder): Promise<void> {
    member.order(crash);
    const hasHeard = () => member.obeys?.point === crash.point;
    await waitUntil("it has its order", () => hasHeard() || !member.isRunning);
  }

  /** The account's intents in the order of acceptance; `dead` has some of them in hand. */
  async storedOf(account: string, dead?: string): Promise<readonly LeftBehind[]> {
    const { redis, keys } = this.cluster;
    const lane = keys.lane(accountId(account));
    const names = await redis.keys(`${keys.prefix}:{${account}}:intent:*`);
    const active = await redis.lrange(`${lane}:active`, 0, -1);
    const left = await Promise.all(
      names.map(async (name): Promise<LeftBehind[]> => {
        const hash = await redis.hgetall(name);
        const stored = toStored(name, hash);
        if (stored === undefined) return [];
        const worker = await redis.hget(`${lane}:${stored.intentId}`, "pb");
        const isInHand = active.includes(stored.intentId) && worker === dead;
        const { sentAt, acceptedAt } = hash;
        const isBegunAtOnce = sentAt !== undefined && sentAt === acceptedAt;
        return [{ ...stored, isBegunAtOnce, isInHand }];
      }),
    );
    return left.flat().toSorted((one, other) => one.seq - other.seq);
  }

  /** Tells everyone that the process died, and starts it again. */
  async mourn(member: Member): Promise<Roles> {
    const { processId = "" } = member;
    await reportDeath(this.cluster, processId, { isReported: true });
    member.start();
    return await this.roles();
  }

  async untilSettled(account: string): Promise<void> {
    const path = `/v1/accounts/${account}/intents?state=unsettled`;
    const isSettled = async () => {
      const { status, body } = await this.#api().get(path);
      return status === 200 && body.intents.length === 0;
    };
    await waitUntil("all is settled", isSettled, UP_WITHIN_MS);
  }

  async stateOf(account: string, intent: string): Promise<string> {
    const { body } = await this.#api().get(`/v1/accounts/${account}/intents/${intent}`);
    return body.state as string;
  }

  /** The account's orders and closes as the broker took them, and what is held by its fills. */
  async atBroker(account: string): Promise<{ sent: readonly SentOrder[]; held: number }> {
    const exits = (await this.storedOf(account)).filter(({ kind }) => kind === "FLATTEN");
    const closes = new Set(exits.flatMap(({ clOrdIds }) => clOrdIds));
    const log = (await this.cluster.broker.log()).filter((entry) => entry.account === account);
    const { sent, filled } = readBrokerLog(log, (clOrdId) => closes.has(clOrdId));
    const held = [...(filled.get(account)?.values() ?? [])].reduce((sum, net) => sum + net, 0);
    return { sent, held };
  }

  #api(): ApiClient {
    const up = this.cluster.members.find(({ isUp }) => isUp);
    return apiClient(up?.url ?? "", this.apiKey);
  }
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { SETTINGS } from "../../config/schema.ts";
import { redisSocket } from "../../src/store/server/redis-server.ts";
import { type ApiClient, apiClient } from "../support/http-client.ts";
import { ROOT } from "../support/source-tree.ts";
import { bareEnvironment, type Child, startNode } from "./child.ts";
import { ACCOUNTS, type Contender, type Place, type Running } from "./contender.ts";
import { processTree } from "./process-figures.ts";
import { startTogether } from "./start-together.ts";

/** Settings of a gateway, as an operator would write them. */
export type Environment = Readonly<Record<string, string>>;

export interface GatewayRunning extends Running {
  /** With the first key. */
  readonly api: ApiClient;
  /** From the start of its process until it said that it is started. */
  readonly startMs: number;
}

/** A broker that is a process of its own, and the gateway that trades there. */
export interface OutsideBroker {
  /** The gateway on this broker, as arguments of Node. */
  readonly program: readonly string[];
  /** The gateway's settings to trade there. */
  readonly settings: Environment;
  /** Its accounts as the gateway names them. */
  readonly accounts: readonly string[];
  readonly stop: () => Promise<void>;
}

/** No limit is to be met: what is measured is how fast alerts are worked. Logs go to a file. */
export const ROOMY: Environment = {
  PORT: "0",
  RATE_LIMIT_PER_MINUTE: "1000000",
  WEBHOOK_RATE_LIMIT_PER_MINUTE: "1000000",
  MAX_ORDERS_PER_MINUTE: "1000000",
  DEFAULT_MAX_ORDERS_PER_MINUTE: "1000000",
  DEFAULT_MAX_POSITION_QTY: "100000",
};

export const STARTED = /"msg":"Started"/;
export const FIRST_KEY = /^ {2}(gwk_\S+)$/m;
export const LISTENS = /^The gateway listens on (http:\S+)$/m;
const FIRST_HOOK = /^ {2}http\S+(\/hooks\/\S+)$/m;

/** A contender of the gateway's is a name and settings, and, of an earlier version, its program. */
export function gatewayContender(
  name: string,
  settings: Environment,
  program?: readonly string[],
): Contender {
  const unknown = Object.keys(settings).filter((key) => SETTINGS.every(([known]) => known !== key));
  return {
    name,
    ...(unknown.length > 0 && { missing: `the gateway has no setting ${unknown.join(", ")}` }),
    start: async (place) => {
      const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `paper-${index + 1}`);
      const environment = { PAPER_ACCOUNTS: `1-${ACCOUNTS}`, ...settings };
      return await startGateway(place, environment, accounts, program);
    },
  };
}

/** The gateway on a broker outside of it, which answers each order at once. */
export function contenderOnBroker(
  name: string,
  startBroker: (programs: Place["programs"]) => Promise<OutsideBroker>,
): Contender {
  return {
    name,
    start: async (place) =>
      await startTogether(async (endWith) => {
        const broker = await startBroker(place.programs);
        endWith(broker.stop);
        const { settings, accounts, program } = broker;
        const gateway = await startGateway(place, settings, accounts, program);
        endWith(gateway.stop);
        return gateway;
      }),
  };
}

/** A gateway with a webhook for each of the accounts; for the first one alone when none is named. */
export async function startGateway(
  { programs, folder, signal }: Place,
  settings: Environment,
  accounts: readonly string[] = [],
  program: readonly string[] = [programs.gateway],
): Promise<GatewayRunning> {
  return await startTogether(async (endWith) => {
    const dataDir = path.join(folder, "data");
    const startedAt = performance.now();
    const child = await startNode(program, {
      output: path.join(folder, "output.log"),
      cwd: ROOT,
      env: { ...bareEnvironment(folder), DATA_DIR: dataDir, ...ROOMY, ...settings },
      signal,
    });
    endWith(child.end);
    const said = await child.untilSaid(STARTED);
    const startMs = performance.now() - startedAt;

    const url = LISTENS.exec(said)?.[1] ?? "";
    const api = apiClient(url, FIRST_KEY.exec(said)?.[1] ?? "");
    const first = FIRST_HOOK.exec(said)?.[1] ?? "";
    const redisPid = Number(await readFile(path.join(dataDir, "redis/redis.pid"), "utf8"));
    return {
      url,
      api,
      startMs,
      hooks: accounts.length === 0 ? [first] : await createHooks(api, accounts),
      redisPid,
      redisSocket: await redisSocket(dataDir),
      nodePids: async () => await gatewayPids(child, redisPid),
      answeredEarly: async () => await countEarly(api),
    };
  });
}

/** Its Redis is a child of the gateway's, and so are the processes of split roles. */
async function gatewayPids(child: Child, redisPid: number): Promise<readonly number[]> {
  return await processTree(child.pid, redisPid);
}

export async function createHooks(
  api: ApiClient,
  accounts: readonly string[],
  options: object = {},
): Promise<string[]> {
  const hooks: string[] = [];
  for (const accountId of accounts) {
    const { status, text, body } = await api.post("/v1/webhooks", { accountId, ...options });
    if (status !== 201) throw new Error(`There is no webhook for ${accountId}: ${status} ${text}`);
    hooks.push(new URL(String(body.url)).pathname);
  }
  return hooks;
}

/** An alert that is answered by 202 is accepted, but its caller did not hear what became of it. */
async function countEarly(api: ApiClient): Promise<number> {
  const { text } = await api.get("/metrics");
  const line = /^gateway_http_requests_total\{[^}]*route="\/hooks[^}]*status="202"[^}]*\} (\d+)/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

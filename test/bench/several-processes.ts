import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startExchangeSimulator } from "../simulators/exchange/start.ts";
import { apiClient, type ApiClient } from "../support/http-client.ts";
import { ROOT } from "../support/source-tree.ts";
import { bareEnvironment, type Child, startNode } from "./child.ts";
import type { Place } from "./contender.ts";
import { createHooks, FIRST_KEY, LISTENS, ROOMY, STARTED } from "./gateway-contender.ts";
import { startTogether } from "./start-together.ts";

/** A gateway of several processes: one that takes alerts, and some that own connections. */
export interface Several {
  readonly url: string;
  readonly hooks: readonly string[];
  readonly ingress: readonly number[];
  readonly workers: readonly number[];
  readonly stop: () => Promise<void>;
}

export interface SeveralShape {
  readonly redisUrl: string;
  readonly workers: number;
  readonly connections: number;
  readonly accountsPerConnection: number;
}

const UP_WITHIN_MS = 120_000;

/** Each process is started by itself, as on machines of its own; the broker is the exchange simulator. */
export async function startSeveral(
  { programs, folder, signal }: Place,
  { redisUrl, workers, connections, accountsPerConnection }: SeveralShape,
): Promise<Several> {
  return await startTogether(async (endWith) => {
    const broker = await startExchangeSimulator([programs.exchangeSimulator]);
    endWith(broker.stop);
    const start = async (role: "ingress" | "worker", number: number): Promise<Child> => {
      const place = path.join(folder, `${role}-${number}`);
      await mkdir(place, { recursive: true });
      const child = await startNode([programs.gatewayOnSimulator], {
        output: path.join(place, "output.log"),
        cwd: ROOT,
        env: {
          ...bareEnvironment(place),
          ...ROOMY,
          DATA_DIR: path.join(place, "data"),
          REDIS_URL: redisUrl,
          ROLE: role,
          SIMULATOR_URL: broker.url,
          SIMULATOR_CONNECTIONS: String(connections),
          SIMULATOR_ACCOUNTS: String(accountsPerConnection),
        },
        signal,
      });
      endWith(child.end);
      await child.untilSaid(STARTED);
      return child;
    };
    const working: Child[] = [];
    for (let at = 1; at <= workers; at += 1) working.push(await start("worker", at));
    const ingress = await start("ingress", 1);
    const said = await Promise.all([...working, ingress].map((child) => child.said()));
    const key = said.flatMap((text) => FIRST_KEY.exec(text)?.[1] ?? [])[0] ?? "";
    const url = LISTENS.exec(said.at(-1) ?? "")?.[1] ?? "";
    const api = apiClient(url, key);
    const accounts = await accountsOf(api, connections * accountsPerConnection, signal);
    return {
      url,
      hooks: await createHooks(api, accounts),
      ingress: [ingress.pid],
      workers: working.map(({ pid }) => pid),
    };
  });
}

/** Once every connection is up, and each worker has its part of them. */
async function accountsOf(api: ApiClient, count: number, signal: AbortSignal): Promise<string[]> {
  const deadline = performance.now() + UP_WITHIN_MS;
  for (;;) {
    const { body } = await api.get("/v1/accounts");
    const listed = (body.accounts ?? []) as { readonly id: string }[];
    const { connections = [] } = (await api.get("/v1/connections")).body as {
      readonly connections?: readonly { readonly status: string }[];
    };
    const isUp = connections.every(({ status }) => status === "CONNECTED");
    if (isUp && listed.length >= count) return listed.map(({ id }) => id);
    if (performance.now() > deadline) throw new Error(`${listed.length} of ${count} are up`);
    await sleep(500, undefined, { signal });
  }
}

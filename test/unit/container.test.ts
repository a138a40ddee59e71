import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../config/index.ts";
import { SETTINGS } from "../../config/schema.ts";
import { eventually } from "../support/wait.ts";
import { ROOT, textOf, uncommented } from "../support/source-tree.ts";
import { routes } from "./http/http-kit.ts";

// What can be said of the container without an engine. docs/operations.md says how the image was built and run.

const lines = (file: string) => (textOf(file) ?? "").split("\n").filter((line) => line !== "");

/** The Dockerfile's instructions in their order, continued lines joined. */
const INSTRUCTIONS = (textOf("Dockerfile") ?? "")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const FINAL_STAGE = INSTRUCTIONS.slice(
  INSTRUCTIONS.findLastIndex((line) => line.startsWith("FROM ")),
);
/** What stands behind the only instruction of this kind in the final stage. */
function only(kind: string): string {
  const found = FINAL_STAGE.filter((line) => line.startsWith(`${kind} `));
  expect(found).toHaveLength(1);
  return (found[0] ?? "").slice(kind.length + 1);
}

interface WebhookConfig {
  readonly url?: string;
  readonly http_config?: { readonly authorization: { readonly credentials_file: string } };
}

describe("the image", () => {
  test("runs on the Node version that is asked for, 22 without asking", () => {
    expect(INSTRUCTIONS[0]).toBe("ARG NODE_VERSION=22");
    const bases = INSTRUCTIONS.filter((line) => line.startsWith("FROM "));
    expect(bases.filter((line) => !line.includes(":${NODE_VERSION}-"))).toEqual([]);
  });

  test("runs as a user without rights, on code that is root's", () => {
    expect(only("USER")).toBe("1000:1000");
    expect(FINAL_STAGE.filter((line) => /^(COPY|ADD)\b.*--chown/.test(line))).toEqual([]);
    expect(FINAL_STAGE.filter((line) => line.startsWith("RUN npm"))).toEqual([]);
  });

  test("installs what the lock file says, and runs no package's own script", () => {
    const installs = INSTRUCTIONS.filter((line) => /\bnpm (ci|i|install)\b/.test(line));
    expect(installs).toEqual([
      "RUN npm ci --ignore-scripts",
      "RUN npm ci --omit=dev --ignore-scripts",
    ]);
  });

  test("starts the program itself, without a shell and without npm", () => {
    // The one of the base image is a script.
    expect(only("ENTRYPOINT")).toBe("[]");
    const command = JSON.parse(only("CMD")) as string[];
    expect(command[0]).toBe("node");
    expect(textOf("package.json")).toContain(`"start": "exec ${command.join(" ")}"`);
  });

  test("says the version of the package", () => {
    const { version } = JSON.parse(textOf("package.json") ?? "") as { version: string };
    expect(only("LABEL")).toContain(`org.opencontainers.image.version="${version}"`);
  });

  test("listens to more than itself, on settings that the gateway accepts", () => {
    const pairs = only("ENV")
      .split(/\s+/)
      .map((pair) => pair.split("=", 2));
    const config = loadConfig(Object.fromEntries(pairs) as Record<string, string>);
    expect(config).toMatchObject({ HOST: "0.0.0.0", PORT: 8080, DATA_DIR: "/data" });
    expect(JSON.parse(only("VOLUME"))).toEqual([config.DATA_DIR]);
  });

  test("is built from what the build needs, and nothing else gets near it", () => {
    const [everything, ...rest] = lines(".dockerignore").filter((line) => !line.startsWith("#"));
    expect(everything).toBe("*");
    const allowed = rest.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    const copied = INSTRUCTIONS.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) =>
      line.split(" ").slice(1, -1),
    );
    expect(allowed.toSorted()).toEqual([...new Set(copied)].toSorted());
    expect(rest).toContain("**/.env");
  });
});

describe("the health check", () => {
  const [, words = ""] = /^--.*? CMD (\[.*\])$/.exec(only("HEALTHCHECK")) ?? [];

  /** Its exit status in a container with these settings. */
  async function check(settings: Readonly<Record<string, string>>): Promise<unknown> {
    const [, ...rest] = JSON.parse(words) as string[];
    const child = spawn(process.execPath, rest, { stdio: "ignore", env: settings });
    const [code] = (await once(child, "exit")) as unknown[];
    return code;
  }

  /** It has 4 s, and Docker tries it again: a machine that is stopped meanwhile is no failure. */
  const passes = async (settings: Readonly<Record<string, string>>) =>
    await eventually(async () => {
      if ((await check(settings)) !== 0) throw new Error("It says that nothing runs");
      return true;
    });

  /** The port of something that answers with this status where the gateway says whether it runs. */
  async function answering(status: number): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/healthz" ? status : 404).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return String((server.address() as AddressInfo).port);
  }

  /** A port on which nobody listens. */
  async function silent(): Promise<string> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return String(port);
  }

  test("asks on PORT whether it runs", async () => {
    expect(await passes({ PORT: await answering(200) })).toBe(true);
  });

  test("asks on the process' own port where it has one", async () => {
    const settings = { PORT: await silent(), OPERATIONS_PORT: await answering(200) };
    expect(await passes(settings)).toBe(true);
  });

  test("fails when the answer is an error", async () => {
    expect(await check({ PORT: await answering(500) })).toBe(1);
  });

  test("fails when nobody answers", async () => {
    expect(await check({ PORT: await silent() })).toBe(1);
  });
});

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly networks: readonly string[];
  readonly stop_grace_period?: string;
}

describe("compose.yaml", () => {
  const file = parse(textOf("compose.yaml") ?? "", { merge: true }) as {
    services: Readonly<
      Record<"gateway" | "redis" | "prometheus" | "alertmanager" | "grafana", Service>
    >;
    networks: Readonly<Record<string, { internal?: boolean } | null>>;
    volumes: Readonly<Record<string, null>>;
  };
  const { gateway, redis, grafana } = file.services;
  const all = Object.entries(file.services);

  test.each(all)("%s can do and write nothing that it need not", (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      restart: "unless-stopped",
      logging: { options: { "max-size": expect.any(String), "max-file": expect.any(String) } },
    });
    expect(Object.keys(service)).not.toContain("privileged");
  });

  test.each(all)("%s is reached from this machine only", (_, { ports = [] }) => {
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });

  test("Redis is reached by the gateway only, and has no way out", () => {
    expect(redis.ports).toBeUndefined();
    expect(redis.networks).toEqual(["store"]);
    expect(file.networks["store"]).toEqual({ internal: true });
    const there = all.filter(([, { networks }]) => networks.includes("store"));
    expect(there.map(([name]) => name)).toEqual(["gateway", "redis"]);
  });

  test("every image that is not built here is of one version", () => {
    const images = all.filter(([, { build }]) => build === undefined).map(([, one]) => one.image);
    expect(images).toHaveLength(4);
    expect(images.filter((image) => !/:v?\d+\.\d+\.\d+(-\w+)?$/.test(image))).toEqual([]);
  });

  test("Redis loses and evicts nothing", () => {
    const given = redis.command?.join(" ");
    expect(given).toContain("--appendonly yes --appendfsync always");
    expect(given).toContain("--maxmemory-policy noeviction");
    expect(redis.volumes).toEqual(["redis-data:/data"]);
  });

  test("Redis keeps an alert as small, and starts as soon, as the gateway's own does", () => {
    const given = redis.command?.join(" ");
    expect(given).toContain("--hash-max-listpack-value 4096 --hash-max-listpack-entries 32");
    expect(given).toContain("--auto-aof-rewrite-percentage 50");
  });

  test("the gateway has the time that it may take for a stop", () => {
    const { SHUTDOWN_SECONDS } = gateway.environment ?? {};
    expect(Number.parseInt(gateway.stop_grace_period ?? "", 10)).toBeGreaterThan(
      2 * Number(SHUTDOWN_SECONDS) + 5,
    );
  });

  test("every setting is given here, can be given, or is kept away on purpose", () => {
    // One process, on the Redis beside it, and nothing else on its machine.
    const away = [
      "ROLE",
      "PROCESSES",
      "WORKER_MAX_CONNECTIONS",
      "OPERATIONS_PORT",
      "REDIS_SERVER_BIN",
      "ALLOW_UNSAFE_REDIS",
      "ALLOW_LOCAL_BROKERS",
    ];
    const names = SETTINGS.map(([name]) => name);
    expect([...Object.keys(gateway.environment ?? {}), ...away].toSorted()).toEqual(
      names.toSorted(),
    );
  });

  test("what is given are settings that the gateway accepts", () => {
    const given = Object.entries(gateway.environment ?? {}).map(([name, value]) => [
      name,
      value?.replace(/^\$\{\w+:-(.*)\}$/, "$1"),
    ]);
    const config = loadConfig(Object.fromEntries(given) as Record<string, string>);
    expect(config).toMatchObject({ HOST: "0.0.0.0", PUBLIC_URL: "http://127.0.0.1:8080" });
  });

  test("Grafana has no password until somebody sets one", () => {
    expect(grafana.environment?.["GF_SECURITY_ADMIN_PASSWORD"]).toMatch(/^\$\{GRAFANA_PASSWORD:\?/);
  });

  test("what is mounted is there, and cannot be written", () => {
    const mounts = all.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(":")));
    const fromHere = mounts.filter(([source = ""]) => source.startsWith("./"));
    expect(fromHere.filter(([, , mode]) => mode !== "ro")).toEqual([]);
    const missing = fromHere.filter(([source = ""]) => !existsSync(path.join(ROOT, source)));
    expect(missing).toEqual([]);
    const named = mounts.map(([source = ""]) => source).filter((source) => !source.startsWith("."));
    expect(named.toSorted()).toEqual(Object.keys(file.volumes).toSorted());
  });

  test("Alertmanager can post to the gateway too, once what is prepared is uncommented", () => {
    const settings = parse(uncommented(textOf("grafana/alertmanager/alertmanager.yml") ?? "")) as {
      receivers: readonly { webhook_configs: readonly WebhookConfig[] }[];
    };
    const [, own] = settings.receivers[0]?.webhook_configs ?? [];
    const route = routes.find(({ id }) => id === "tellOperatorAlarms");
    expect(own?.url).toBe(`http://gateway:${gateway.environment?.["PORT"]}${route?.path}`);
    const secret = own?.http_config?.authorization.credentials_file.replace("/run/secrets/", "");
    const prepared = parse(uncommented(textOf("compose.yaml") ?? "")) as {
      services: { alertmanager: { secrets: readonly string[] } };
      secrets: Readonly<Record<string, object>>;
    };
    expect(prepared.services.alertmanager.secrets).toContain(secret);
    expect(Object.keys(prepared.secrets)).toContain(secret);
  });

  test("Prometheus asks the gateway where it listens", () => {
    const scraped = parse(textOf("grafana/prometheus/prometheus.yml") ?? "") as {
      scrape_configs: readonly { static_configs: readonly { targets: readonly string[] }[] }[];
    };
    const targets = scraped.scrape_configs.flatMap(({ static_configs: configs }) =>
      configs.flatMap((one) => one.targets),
    );
    expect(targets).toEqual([`gateway:${gateway.environment?.["PORT"]}`, "alertmanager:9093"]);
  });
});

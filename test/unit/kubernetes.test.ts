// The goal: what is in deploy/ is what a cluster takes, and fits the gateway that it starts.
// The method: both overlays as they are built, against the published schemas and our own code.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { type Config, loadConfig } from "../../config/index.ts";
import { faultsOf, type Labels, type Manifest } from "../support/kubernetes-schemas.ts";
import { buildManifests } from "../support/kustomize.ts";
import { ROOT, sourceFiles, textOf } from "../support/source-tree.ts";

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly initContainers?: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}
interface Selecting extends Manifest {
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels?: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly scaleTargetRef: { readonly name: string };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly metrics: readonly { readonly pods?: { readonly metric: { readonly name: string } } }[];
  };
  readonly data?: Labels;
}

const folderOf = (overlay: string) => path.join(ROOT, "deploy/overlays", overlay);
const built = (overlay: string) => buildManifests(folderOf(overlay)) as readonly Selecting[];
const OVERLAYS = {
  "single-node": built("single-node"),
  cluster: built("cluster"),
} as const;

const secrets = mkdtempSync(path.join(tmpdir(), "gateway-secrets-"));
beforeAll(() => {
  writeFileSync(path.join(secrets, "redis-url"), "redis://a:6379,b:6379,c:6379");
  writeFileSync(path.join(secrets, "sealing-key"), Buffer.alloc(32, 7).toString("base64"));
});
afterAll(() => rmSync(secrets, { recursive: true }));

/** What the gateway makes of a pod's environment, on top of the image's. */
function configOf({ env, envFrom }: Container, manifests: readonly Selecting[]): Config {
  const image = textOf("Dockerfile")?.match(/^ENV ((?:.*\\\n)*.*)$/m)?.[1] ?? "";
  const given = image.split(/[\s\\]+/).map((pair) => pair.split("=", 2));
  const named = envFrom.map(({ configMapRef }) => configMapRef.name);
  const maps = manifests.filter(
    ({ kind, metadata }) => kind === "ConfigMap" && named.includes(metadata.name),
  );
  expect(maps).toHaveLength(named.length);
  const own = env.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value.replace("/run/secrets/gateway", secrets)]],
  );
  return loadConfig({
    ...Object.fromEntries(given),
    ...Object.assign({}, ...maps.map(({ data }) => data)),
    ...Object.fromEntries(own),
  } as Record<string, string>);
}

const includes = (labels: Labels, wanted: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

describe.each(Object.entries(OVERLAYS))("the overlay %s", (overlay, manifests) => {
  const deployments = manifests.filter(({ kind }) => kind === "Deployment");
  const pods = deployments.map(
    ({ spec, metadata }) => [metadata.name, spec.template.spec] as const,
  );

  test.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    "%s is as its published schema says",
    (_, manifest) => {
      expect(faultsOf(manifest)).toEqual([]);
    },
  );

  test.each(pods)("%s runs without rights, on a read-only root", (_, pod) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
    });
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(container).toMatchObject({
        image: expect.stringMatching(/:\d+\.\d+\.\d+(-\w+)?$/),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
      });
    }
  });

  test.each(pods)("%s is asked where the gateway answers", (_, { containers: [container] }) => {
    const { PORT, OPERATIONS_PORT } = configOf(container, manifests);
    const ports = container.ports.map(({ name, containerPort }) => [name, containerPort]);
    expect(Object.fromEntries(ports)).toEqual({ http: PORT, operations: OPERATIONS_PORT });
    const { livenessProbe, readinessProbe } = container;
    expect([livenessProbe.httpGet, readinessProbe.httpGet]).toEqual([
      { path: "/healthz", port: "operations" },
      { path: "/readyz", port: "operations" },
    ]);
  });

  test.each(pods)("%s has the time that it may take for a stop", (_, pod) => {
    const [container] = pod.containers;
    const { SHUTDOWN_SECONDS } = configOf(container, manifests);
    const pause = Number(container.lifecycle?.preStop.exec.command.at(-1) ?? 0);
    const most = pause + 2 * SHUTDOWN_SECONDS + 5;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(most);
  });

  test.each(pods)("%s mounts what it has, and has what it mounts", (_, pod) => {
    const mounted = [...pod.containers, ...(pod.initContainers ?? [])].flatMap(({ volumeMounts }) =>
      volumeMounts.map(({ name }) => name),
    );
    expect([...new Set(mounted)].toSorted()).toEqual(
      pod.volumes.map(({ name }) => name).toSorted(),
    );
    const { DATA_DIR } = configOf(pod.containers[0], manifests);
    expect(pod.containers[0].volumeMounts.map(({ mountPath }) => mountPath)).toContain(DATA_DIR);
  });

  test("whatever selects pods finds some", () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === "ServiceMonitor") return [];
      if (kind === "NetworkPolicy") return [spec.podSelector.matchLabels];
      const { selector } = spec ?? {};
      return selector === undefined ? [] : [selector.matchLabels ?? selector];
    }) as Labels[];
    expect(selectors.length).toBeGreaterThan(3);
    const inVain = selectors.filter((one) => !labels.some((found) => includes(found, one)));
    expect(inVain).toEqual([]);
    const services = manifests.filter(({ kind }) => kind === "Service");
    const monitored = manifests.find(({ kind }) => kind === "ServiceMonitor")?.spec.selector;
    expect(
      services.filter(({ metadata }) =>
        includes(metadata.labels ?? {}, monitored?.matchLabels ?? { no: "monitor" }),
      ),
    ).toHaveLength(1);
    const names = deployments.map(({ metadata }) => metadata.name);
    const scaled = manifests.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(
      overlay === "cluster" ? names : [],
    );
  });
});

test.each([
  ["single-node", "gateway", "/data", "gateway-data"],
  ["cluster", "gateway-worker", "/data/ledger", "gateway-ledger"],
] as const)("in %s the ledger lines of %s lie on a volume", (overlay, name, folder, claim) => {
  const one = OVERLAYS[overlay].find(
    ({ kind, metadata }) => kind === "Deployment" && metadata.name === name,
  );
  const { containers, volumes } = one?.spec.template.spec ?? {};
  const mount = containers?.[0].volumeMounts.find(({ mountPath }) => mountPath === folder);
  const volume = volumes?.find((found) => found.name === mount?.name);
  expect(volume?.persistentVolumeClaim?.claimName).toBe(claim);
  const claims = OVERLAYS[overlay].filter(({ kind }) => kind === "PersistentVolumeClaim");
  expect(claims.map(({ metadata }) => metadata.name)).toContain(claim);
});

test("one kind of pod takes alerts, the other one owns connections", () => {
  const roles = OVERLAYS.cluster.flatMap((one) => {
    if (one.kind !== "Deployment") return [];
    const { ROLE } = configOf(one.spec.template.spec.containers[0], OVERLAYS.cluster);
    const isReached = one.spec.template.metadata.labels["gateway/takes-alerts"] === "yes";
    return [[one.metadata.name, ROLE, isReached]];
  });
  expect(roles).toEqual([
    ["gateway-ingress", "ingress", true],
    ["gateway-worker", "worker", false],
  ]);
});

test("what workers are scaled by is measured", () => {
  const asked = OVERLAYS.cluster.flatMap(({ kind, spec }) =>
    kind === "HorizontalPodAutoscaler"
      ? spec.metrics.flatMap(({ pods }) => pods?.metric.name ?? [])
      : [],
  );
  expect(asked).toEqual(["gateway_worked_oldest_intent_seconds"]);
  const sources = sourceFiles("src/observability").map((file) => textOf(file));
  expect(sources.filter((text) => text?.includes(`"${asked[0]}"`))).toHaveLength(1);
});

test("one node's Redis is as the one in compose.yaml, but for its socket", () => {
  const compose = parse(textOf("compose.yaml") ?? "", { merge: true }) as {
    services: { redis: { command: string[]; image: string } };
  };
  const pod = OVERLAYS["single-node"].find(({ kind }) => kind === "Deployment")?.spec.template.spec;
  const { command, image } = pod?.initContainers?.[0] ?? {};
  const socket = "--port 0 --unixsocket /run/redis/redis.sock --unixsocketperm 700 --dir /data";
  const { redis } = compose.services;
  expect(image).toBe(redis.image);
  expect(command?.join(" ").replace(`${socket} `, "")).toBe(redis.command.join(" "));
});

/** Names of generated maps without their hash, and lists in one order. */
const comparable = (value: unknown): unknown => {
  if (typeof value === "string") return value.replace(/^(gateway-settings)-\w{10}$/, "$1");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const texts = value.map((one) => JSON.stringify(comparable(one)));
    return texts.toSorted();
  }
  const entries = Object.entries(value).map(([key, one]) => [key, comparable(one)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b)));
};

const kubectl = (folder: string) =>
  spawnSync("kubectl", ["kustomize", folder], { encoding: "utf8" });

test.runIf(kubectl(folderOf("cluster")).status === 0).each(["single-node", "cluster"])(
  "kubectl, where there is one, builds the overlay %s as this test does",
  (overlay) => {
    const theirs = parseAllDocuments(kubectl(folderOf(overlay)).stdout).map(
      (one) => one.toJS() as unknown,
    );
    expect(comparable(theirs)).toEqual(comparable(built(overlay)));
  },
);

test("no manifest is left out", () => {
  const files = readdirSync(path.join(ROOT, "deploy"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => path.join("deploy", file));
  const isKustomization = (file: string) => file.endsWith("/kustomization.yaml");
  const named = files.filter(isKustomization).map(textOf).join("\n");
  const manifests = files.filter((file) => !isKustomization(file));
  expect(manifests.length).toBeGreaterThan(5);
  expect(manifests.filter((file) => !named.includes(path.basename(file)))).toEqual([]);
});

test("a field that no schema has is found, and so is a wrong value", () => {
  const [service] = OVERLAYS.cluster.filter(({ kind }) => kind === "Service");
  expect(faultsOf({ ...service, spec: { ...service?.spec, selectors: {} } } as never)).toEqual([
    "Service.spec.selectors is no field",
  ]);
  expect(faultsOf({ ...service, spec: { ports: "80" } } as never)).toEqual([
    expect.stringContaining("data/spec/ports must be array"),
  ]);
});

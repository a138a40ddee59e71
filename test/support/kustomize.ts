import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { Manifest } from "./kubernetes-schemas.ts";

/** What ours use of it; anything else is refused. */
interface Kustomization {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly {
    readonly path: string;
    readonly target: { readonly kind: string };
  }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly literals: readonly string[];
  }[];
  readonly images?: readonly { readonly name: string; readonly newTag: string }[];
}
const KNOWN = new Set(
  "apiVersion kind resources components patches configMapGenerator images".split(" "),
);

type Tree = Readonly<Record<string, unknown>>;

/**
 * The manifests of a folder as `kubectl kustomize` builds them, but that what is generated has no hash in
 * its name. There is no package of it for every platform.
 */
export function buildManifests(folder: string): readonly Manifest[] {
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  const text = read("kustomization.yaml");
  const one = parse(text) as Kustomization;
  const unknown = Object.keys(one).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join()} is not built here`);
  const found = (one.resources ?? []).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return buildManifests(file);
    return parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest);
  });
  const maps = (one.configMapGenerator ?? []).map(({ name, literals }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s, 2))),
  }));
  const components = (one.components ?? []).map((name) => path.join(folder, name));
  let built: readonly Manifest[] = [...found, ...maps];
  // kustomize applies them before the patches of the folder itself.
  for (const component of components) built = patched(built, component);
  built = patched(built, folder);
  return (one.images ?? []).reduce(
    (all, { name, newTag }) => retagged(all, name, `${name}:${newTag}`),
    built,
  );
}

function patched(manifests: readonly Manifest[], folder: string): readonly Manifest[] {
  const { patches = [] } = parse(
    readFileSync(path.join(folder, "kustomization.yaml"), "utf8"),
  ) as Kustomization;
  return patches.reduce((all, { path: file, target }) => {
    const patch = parse(readFileSync(path.join(folder, file), "utf8")) as Manifest;
    return all.map((one) =>
      one.kind === target.kind
        ? { ...(merge(one, patch) as Manifest), metadata: one.metadata }
        : one,
    );
  }, manifests);
}

/** By what the entries of a list are told apart, by Kubernetes' own types. */
const KEYS: Readonly<Record<string, string>> = {
  volumeMounts: "mountPath",
  ports: "containerPort",
  containers: "name",
  volumes: "name",
  env: "name",
};

function merge(base: unknown, patch: unknown, field = ""): unknown {
  const key = KEYS[field];
  if (Array.isArray(base) && Array.isArray(patch) && key !== undefined) {
    const rest = (base as Tree[]).filter(
      (one) => !(patch as Tree[]).some((p) => p[key] === one[key]),
    );
    const given = (patch as Tree[]).map((one) =>
      merge(
        (base as Tree[]).find((entry) => entry[key] === one[key]),
        one,
      ),
    );
    return [...given, ...rest];
  }
  if (!isTree(base) || !isTree(patch)) return patch;
  const merged = Object.entries(patch).map(([name, value]) => [
    name,
    merge(base[name], value, name),
  ]);
  return { ...base, ...Object.fromEntries(merged) };
}

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function retagged<Value>(value: Value, name: string, image: string): Value {
  if (Array.isArray(value)) {
    return value.map((one) => retagged(one, name, image) as unknown) as Value;
  }
  if (!isTree(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === "image" && one === name ? image : retagged(one, name, image),
  ]);
  return Object.fromEntries(entries) as Value;
}

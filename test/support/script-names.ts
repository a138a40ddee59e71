import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { ROOT, sourceFiles, textOf } from "./source-tree.ts";

const BULLMQ = "node_modules/bullmq/dist/cjs/scripts";

/**
 * What scripts in Redis are called, by their SHA-1: the gateway's by their export, those of lanes as in
 * their list, BullMQ's by their own name.
 */
export async function scriptNames(): Promise<ReadonlyMap<string, string>> {
  const names = new Map(Object.entries(laneScripts).map(([name, { sha1 }]) => [sha1, kebab(name)]));
  for (const file of sourceFiles("src", "queues").filter(definesScript)) {
    const exported = (await import(path.join(ROOT, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isScript(value)) names.set(value.sha1, kebab(name));
    }
  }
  const load = createRequire(import.meta.url);
  const theirs = load(path.join(ROOT, BULLMQ)) as Record<string, { content: string }>;
  for (const [name, { content }] of Object.entries(theirs)) {
    names.set(createHash("sha1").update(content).digest("hex"), name);
  }
  return names;
}

const definesScript = (file: string): boolean => (textOf(file) ?? "").includes("= defineScript(");

function isScript(value: unknown): value is { readonly sha1: string } {
  return typeof value === "object" && value !== null && "lua" in value && "sha1" in value;
}

const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

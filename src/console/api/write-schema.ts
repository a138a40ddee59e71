import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createRoutes, type HttpAppDeps } from "../../http/http-app.ts";
import { toOpenApi } from "../../http/openapi/openapi.ts";

// A step of the build, which never runs in a browser: `npm run api-types`.

const PUBLIC_URL = "https://gateway.example";

/** The API document of a gateway at an address of nobody: routes are data, so nothing has to run. */
export function apiDocument(): Readonly<Record<string, unknown>> {
  const routes = createRoutes({ publicUrl: () => PUBLIC_URL } as HttpAppDeps);
  return toOpenApi(routes, { publicUrl: PUBLIC_URL, version: "1.2.3" });
}

/**
 * Writes the types of every path, body and answer; false when the file has them already. They are built, not
 * committed: the document changes more often than anyone reads them.
 */
export async function writeApiTypes(
  file = path.join(import.meta.dirname, "schema.ts"),
  document = JSON.stringify(apiDocument()),
): Promise<boolean> {
  const header = headerOf(document);
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(header)) return false;
  // Whoever reads the file meanwhile gets the former one, whole.
  const next = `${file}.${process.pid}`;
  writeFileSync(next, header + (await generateTypes(document)));
  renameSync(next, file);
  return true;
}

/** Names what the types were made from, so that the same is not made twice. */
function headerOf(document: string): string {
  const lock = readFileSync(path.join(import.meta.dirname, "../../../package-lock.json"));
  const self = readFileSync(import.meta.filename);
  const hash = createHash("sha256").update(document).update(lock).update(self);
  return `/**
 * The gateway's API as TypeScript types, generated from its OpenAPI document. For openapi-fetch:
 * \`createClient<paths>({ baseUrl, headers: { "X-API-Key": key } })\`.
 *
 * Source: ${hash.digest("hex").slice(0, 16)}
 */

`;
}

async function generateTypes(document: string): Promise<string> {
  // Loaded here, because they are large and mostly there is nothing to write.
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const { format } = await import("oxfmt");
  const nodes = await openapiTS(JSON.parse(document, withoutPresenceRules), { silent: true });
  const { code, errors } = await format("schema.ts", astToString(nodes), { printWidth: 100 });
  if (errors.length > 0) throw new Error(`The types cannot be read: ${JSON.stringify(errors)}`);
  return code;
}

/** "One of these fields at least" says nothing that the types of the fields could carry. */
function withoutPresenceRules(name: string, value: unknown): unknown {
  if (name !== "anyOf" || !Array.isArray(value)) return value;
  const isRule = (schema: object) => Object.keys(schema).join() === "required";
  return value.every(isRule) ? undefined : value;
}

if (process.argv[1] === import.meta.filename) await writeApiTypes();

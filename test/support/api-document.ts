import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { format } from "oxfmt";
import { createRoutes, type HttpAppDeps } from "../../src/http/http-app.ts";
import { toOpenApi } from "../../src/http/openapi/openapi.ts";
import { textOf } from "./source-tree.ts";

/** Where the types of the API are committed, from the project's root. */
export const API_TYPES = "src/console/api/schema.ts";

const PUBLIC_URL = "https://gateway.example";

/** Routes are data: nothing has to run to describe them. */
export const routes = createRoutes({ publicUrl: () => PUBLIC_URL } as HttpAppDeps);

/** The API document of a gateway at an address of nobody. */
export function apiDocument(): Readonly<Record<string, unknown>> {
  return toOpenApi(routes, { publicUrl: PUBLIC_URL, version: "1.2.3" });
}

const HEADER = `/**
 * The gateway's API as TypeScript types, generated from its OpenAPI document. For openapi-fetch:
 * \`createClient<paths>({ baseUrl, headers: { "X-API-Key": key } })\`.
 */

`;

/** The types of every path, body and answer, formatted as the project's own files are. */
export async function generateApiTypes(): Promise<string> {
  const text = JSON.stringify(apiDocument());
  const nodes = await openapiTS(JSON.parse(text, withoutPresenceRules) as OpenAPI3, {
    silent: true,
  });
  const options = JSON.parse(textOf(".oxfmtrc.json") ?? "{}") as { $schema?: string };
  delete options.$schema;
  const { code, errors } = await format(API_TYPES, HEADER + astToString(nodes), options);
  if (errors.length > 0) throw new Error(`The types cannot be read: ${JSON.stringify(errors)}`);
  return code;
}

/** "One of these fields at least" says nothing that the types of the fields could carry. */
function withoutPresenceRules(name: string, value: unknown): unknown {
  if (name !== "anyOf" || !Array.isArray(value)) return value;
  const isRule = (schema: object) => Object.keys(schema).join() === "required";
  return value.every(isRule) ? undefined : value;
}

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { apiDocument } from "../../../../src/console/api/write-schema.ts";

/** Where the document does not follow a recommended rule, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "info-license at #/info": "its owner has named none",
  "no-unused-components at #/components/responses/MethodNotAllowed":
    "any path can answer it, and OpenAPI has no place to say so",
  ...Object.fromEntries(
    ["/healthz", "/readyz", "/metrics", "/api-docs", "/api-docs/openapi.json"].map((path) => [
      `operation-4xx-response at #/paths/${path.replaceAll("/", "~1")}/get/responses`,
      "without a key, a parameter or a body nothing can be asked wrongly",
    ]),
  ),
};

// openapi.test.ts checks every example against its schema; this rule repeats it in most of the linter's time.
const RULES = { "no-invalid-media-type-examples": "off" } as const;

test("the API document keeps the rules that tools expect of one", async () => {
  const config = await createConfig({ extends: ["recommended"], rules: RULES });
  const problems = await lintFromString({ source: JSON.stringify(apiDocument()), config });
  const told = problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer ?? ""}`);
  expect(told.filter((problem) => EXCEPTIONS[problem] === undefined)).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((problem) => !told.includes(problem))).toEqual([]);
});

test("a document that breaks them is found out", async () => {
  const paths = { "/v1/a": { get: { responses: {} } } };
  const source = JSON.stringify({ ...apiDocument(), paths });
  const config = await createConfig({ extends: ["recommended"] });
  const rules = (await lintFromString({ source, config })).map(({ ruleId }) => ruleId);
  expect(rules).toEqual(expect.arrayContaining(["operation-summary", "operation-operationId"]));
});

import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ConfigSchema } from "../../../../config/schema.ts";
import { BROKER_KINDS } from "../../../../src/brokers/broker-kinds.ts";
import { validators } from "../../../../src/http/requests/validate.ts";
import { routes, startApp } from "../http-kit.ts";

// A start does not check its schemas, which would take most of its time.
describe("each schema is one", () => {
  const ajv = new Ajv2020();
  const problemsOf = (schema: AnySchema) => {
    void ajv.validateSchema(schema);
    return ajv.errors;
  };

  test.each(
    routes.flatMap((route) =>
      Object.entries({
        body: "body" in route ? route.body : undefined,
        query: "query" in route ? route.query : undefined,
      }).flatMap(([part, schema]) =>
        schema === undefined ? [] : [[`${part} of ${route.method} ${route.path}`, schema] as const],
      ),
    ),
  )("the %s", (_, schema) => {
    expect(problemsOf(schema)).toBeNull();
  });

  test("the settings'", () => {
    expect(problemsOf(ConfigSchema)).toBeNull();
  });

  test.each(Object.entries(BROKER_KINDS))("the settings of %s", (_, { settings }) => {
    expect(problemsOf(settings)).toBeNull();
  });
});

test("all of them can be compiled", async () => {
  await startApp();
  await expect(validators.compileRest()).resolves.toBeUndefined();
});

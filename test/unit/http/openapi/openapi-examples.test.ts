import { expect, test } from "vitest";
import { errorsOf } from "../../../../src/http/openapi/openapi-errors.ts";
import { openApi, routes } from "../http-kit.ts";

// That each example is valid is told by openapi.test.ts.

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

const operations = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as Operation,
  })),
);

const hasExample = ({ example, examples = {} }: Media) =>
  example !== undefined || Object.keys(examples).length > 0;

test("every request body has an example", () => {
  const without = operations.filter(({ operation: { requestBody } }) =>
    Object.values(requestBody?.content ?? {}).some((media) => !hasExample(media)),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("every answer with a body has an example", () => {
  const without = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).every(hasExample) ? [] : [`${name} ${status}`],
    ),
  );
  expect(without).toEqual([]);
});

test("every error has an example of its own code", () => {
  const missing = routes.flatMap((route) => {
    const item = openApi.paths[route.path] as Readonly<Record<string, Operation>>;
    const { responses } = item[route.method.toLowerCase()] ?? { responses: {} };
    const shown = Object.values(responses).flatMap(({ content }) =>
      Object.keys(content?.["application/json"]?.examples ?? {}),
    );
    const possible = route.kind === "stream" ? [] : errorsOf(route);
    return possible
      .filter((code) => !shown.includes(code))
      .map((code) => `${route.method} ${route.path} ${code}`);
  });
  expect(missing).toEqual([]);
});

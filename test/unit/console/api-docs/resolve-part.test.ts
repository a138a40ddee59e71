import { expect, test } from "vitest";
import { resolvePart } from "../../../../src/console/api-docs/resolve-part.ts";

const DOCUMENT = {
  paths: {
    "/orders/{id}": {
      get: {
        parameters: [{ $ref: "#/components/parameters/id" }],
        answer: { $ref: "#/components/schemas/Order", description: "As it stands" },
      },
    },
  },
  components: {
    parameters: { id: { name: "id", in: "path" } },
    schemas: {
      Order: {
        description: "Any order",
        properties: { legs: { items: { $ref: "#/components/schemas/Order" } } },
      },
      "By/name": { const: 1 },
    },
    named: { $ref: "#/components/schemas/By~1name" },
  },
};

const part = async (...path: string[]) => (await resolvePart(DOCUMENT, path)).spec;

test("a part has what it refers to in its place, with its name and what stands beside it", async () => {
  const get = await part("paths", "/orders/{id}", "get");
  expect(get).toEqual({
    parameters: [{ name: "id", in: "path", $$ref: "#/components/parameters/id" }],
    answer: {
      description: "As it stands",
      // Refers to itself: endless, if it were followed.
      properties: { legs: { items: { $ref: "#/components/schemas/Order" } } },
      $$ref: "#/components/schemas/Order",
    },
  });
});

test("a name with a slash is found", async () => {
  expect(await part("components", "named")).toMatchObject({ const: 1 });
});

test("what does not exist is nothing", async () => {
  expect(await part("paths", "/nowhere", "get")).toBeUndefined();
  expect(await part("components", "constructor")).toBeUndefined();
});

test("no error is told, and the document itself stays as it is", async () => {
  const before = structuredClone(DOCUMENT);
  expect(await resolvePart(DOCUMENT, ["paths"])).toMatchObject({ errors: [] });
  expect(DOCUMENT).toEqual(before);
});

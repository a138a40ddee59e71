import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { apiDocument, writeApiTypes } from "../../../../src/console/api/write-schema.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gateway-api-types-"));
afterAll(() => rmSync(folder, { recursive: true }));

const small = (summary: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Small", version: "1" },
    paths: { "/a": { get: { summary, responses: { 200: { description: "Well" } } } } },
  });

test("the types are written once for one document, and again for the next", async () => {
  const file = path.join(folder, "schema.ts");
  expect(await writeApiTypes(file, small("First"))).toBe(true);
  const first = readFileSync(file, "utf8");
  expect(first).toContain("First");

  expect(await writeApiTypes(file, small("First"))).toBe(false);
  expect(readFileSync(file, "utf8")).toBe(first);

  expect(await writeApiTypes(file, small("Second"))).toBe(true);
  expect(readFileSync(file, "utf8")).toContain("Second");
});

test("a rule about which fields go together stands in no type", async () => {
  const file = path.join(folder, "presence.ts");
  const fields = { type: "object", properties: { a: { type: "string" } } };
  const rule = { anyOf: [{ required: ["a"] }] };
  const document = { ...JSON.parse(small("")), components: { schemas: { A: fields } } };
  await writeApiTypes(file, JSON.stringify(document));
  const plain = withoutSource(readFileSync(file, "utf8"));

  document.components.schemas.A = { ...fields, ...rule };
  writeFileSync(file, "");
  expect(await writeApiTypes(file, JSON.stringify(document))).toBe(true);
  expect(withoutSource(readFileSync(file, "utf8"))).toBe(plain);
});

test("the whole document describes what the console asks for", () => {
  expect(apiDocument()["paths"]).toHaveProperty(["/v1/overview"]);
});

const withoutSource = (text: string) => text.replace(/Source: \w+/, "");

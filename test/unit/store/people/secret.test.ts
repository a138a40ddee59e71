import { expect, test } from "vitest";
import fc from "fast-check";
import { hashSecret, newId, newSecret } from "../../../../src/store/people/secret.ts";

test("a secret is found again by its hash, which says nothing of it", () => {
  const secret = newSecret("key");
  const hash = hashSecret("key", secret);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashSecret("key", secret)).toBe(hash);
  expect(hashSecret("key", newSecret("key"))).not.toBe(hash);
});

test("a secret of one kind is none of the other", () => {
  expect(hashSecret("webhook", newSecret("key"))).toBeUndefined();
  expect(hashSecret("key", newSecret("webhook"))).toBeUndefined();
});

test("what is no secret has no hash: it is never looked up", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (text) => {
      expect(hashSecret("key", text)).toBeUndefined();
      expect(hashSecret("key", `${newSecret("key")}${text || "x"}`)).toBeUndefined();
    }),
  );
});

test("public names are made of letters and digits, and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, () => newId("hook"));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^hook_[A-Za-z0-9]{12}$/);
});

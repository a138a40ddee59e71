import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as console from "../../../src/console/parts/sign-in-rules.ts";
import * as gateway from "../../../src/domain/people/person.ts";
import { ANY_CHARACTER } from "../../support/any-character.ts";

/** Near the borders of the rules, where two readings of them would differ. */
const NAMES = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 45 }),
  fc.string({
    unit: fc.constantFrom("a", "É", "e\u0301", ".", "@", " ", "日", "🚀"),
    maxLength: 45,
  }),
);
const PASSWORDS = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 10, maxLength: 14 }),
  fc.string({ unit: fc.constantFrom("x", "🚀"), minLength: 10, maxLength: 14 }),
  fc.string({ unit: ANY_CHARACTER, minLength: 198, maxLength: 202 }),
);
/** The same letters, written otherwise. */
const rewritten = (text: string) => text.toUpperCase().normalize("NFD");

describe("the console says before sending what the gateway would say after", () => {
  test("of names", () => {
    fc.assert(
      fc.property(NAMES, (name) => {
        const refused = gateway.findNameProblem(name) !== undefined;
        expect(console.findNameProblem(name) !== undefined).toBe(refused);
      }),
    );
  });

  test("of passwords", () => {
    fc.assert(
      fc.property(PASSWORDS, NAMES, fc.boolean(), (password, other, isName) => {
        const name = isName ? rewritten(password) : other;
        const refused = gateway.findPasswordProblem(password, name) !== undefined;
        expect(console.findPasswordProblem(password, name) !== undefined).toBe(refused);
      }),
    );
  });

  test("and what is missing", () => {
    expect(console.findPasswordProblem("short", "owner")).toBe("7 more characters");
    expect(console.findPasswordProblem("elevenchars", "owner")).toBe("1 more character");
    expect(console.findPasswordProblem("correct horse", "owner")).toBeUndefined();
  });
});

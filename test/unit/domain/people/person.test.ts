import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialId, userId } from "../../../../src/domain/ids.ts";
import {
  findNameProblem,
  findPasswordProblem,
  nameKeyOf,
} from "../../../../src/domain/people/person.ts";
import {
  idleEndsAt,
  isNewlyProven,
  type Session,
  SESSION_IDLE_MS,
  SESSION_MS,
} from "../../../../src/domain/people/session.ts";

describe("names", () => {
  test.each(["ab", "owner", "Renée", "anna@example.com", "a-b_c.d", "日本", "x".repeat(40)])(
    "%s is one",
    (name) => expect(findNameProblem(name)).toBeUndefined(),
  );
  test.each(["", "a", "x".repeat(41), "two words", "tab\t", "a/b", "<b>", "a\u0000b", "🚀🚀"])(
    "%j is none",
    (name) => expect(findNameProblem(name)).toBeDefined(),
  );
  test("case and the encoding of accents make no other name", () => {
    expect(nameKeyOf("RENE\u0301E")).toBe(nameKeyOf("renée"));
  });
  test("a name's key is its own key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(nameKeyOf(nameKeyOf(name))).toBe(nameKeyOf(name));
      }),
    );
  });
});

describe("passwords", () => {
  test.each(["correct horse", "            x", "пароль-длинный", "🚀".repeat(6) + "🌙".repeat(6)])(
    "%j will do",
    (password) => expect(findPasswordProblem(password, "owner")).toBeUndefined(),
  );
  test.each([
    ["elevenchars", "at least 12"],
    ["🚀🌙".repeat(5), "at least 12"],
    ["ab".repeat(101), "at most 200"],
    ["THE-owner-himself", "the name"],
    ["aaaaaaaaaaaa", "one character"],
    ["🚀".repeat(12), "one character"],
  ])("%j will not: %s", (password, reason) => {
    expect(findPasswordProblem(password, "the-Owner-himself")).toContain(reason);
  });
});

describe("sessions", () => {
  const NOW = Date.UTC(2026, 10, 20);
  const session: Session = {
    id: credentialId("sess_1"),
    userId: userId("user_1"),
    signedInAt: NOW,
    confirmedAt: NOW,
    lastUsedAt: NOW,
    endsAt: NOW + SESSION_MS,
  };
  const MINUTE_MS = 60_000;

  test.each([
    [0, true],
    [15 * MINUTE_MS - 1, true],
    [15 * MINUTE_MS, false],
  ])("a proof %s ms ago is a new one: %s", (ms, isNew) => {
    expect(isNewlyProven(session, NOW + ms)).toBe(isNew);
  });

  test("without use it ends after two hours, and never after its own end", () => {
    expect(idleEndsAt(session)).toBe(NOW + SESSION_IDLE_MS);
    const lastUsedAt = session.endsAt - MINUTE_MS;
    expect(idleEndsAt({ ...session, lastUsedAt })).toBe(session.endsAt);
  });
});

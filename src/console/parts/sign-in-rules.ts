import { countText } from "./figure-text.ts";

/**
 * What the gateway would refuse a name or a password for, said before anything is sent. The rules
 * are the gateway's (src/domain/people/person.ts); a test holds both to the same answers.
 */

const NAME = /^[\p{L}\p{N}._@-]{2,40}$/u;
export const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;

export function findNameProblem(name: string): string | undefined {
  if (NAME.test(name.normalize("NFC"))) return undefined;
  return "Must have 2 to 40 letters, digits or . _ - @";
}

export function findPasswordProblem(password: string, name: string): string | undefined {
  const characters = Array.from(password);
  const missing = SHORTEST_PASSWORD - characters.length;
  if (missing > 0) return countText(missing, "more character");
  if (characters.length > LONGEST_PASSWORD) return `At most ${LONGEST_PASSWORD} characters`;
  if (keyOf(password) === keyOf(name)) return "Must not be the name";
  if (new Set(characters).size === 1) return "Must not be one character again and again";
  return undefined;
}

const keyOf = (text: string) => text.normalize("NFC").toLowerCase();

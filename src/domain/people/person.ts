/** What a person signs in with. Problems are said in words, for whoever chooses them. */

const NAME = /^[\p{L}\p{N}._@-]{2,40}$/u;
const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;

/** Two names that differ only in case, or in how an accent is encoded, are one name. */
export function nameKeyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

export function findNameProblem(name: string): string | undefined {
  if (NAME.test(name.normalize("NFC"))) return undefined;
  return "must have 2 to 40 letters, digits or . _ - @";
}

/** Length is what counts: rules about kinds of characters make passwords worse. */
export function findPasswordProblem(password: string, name: string): string | undefined {
  const characters = Array.from(password);
  if (characters.length < SHORTEST_PASSWORD) {
    return `must have at least ${SHORTEST_PASSWORD} characters`;
  }
  if (characters.length > LONGEST_PASSWORD) {
    return `must have at most ${LONGEST_PASSWORD} characters`;
  }
  if (nameKeyOf(password) === nameKeyOf(name)) return "must not be the name";
  if (new Set(characters).size === 1) return "must not be one character again and again";
  return undefined;
}

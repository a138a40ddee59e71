/** How many letters are to be put in, left out or changed: at most a third of them, else Infinity. */
export function slipsBetween(one: string, other: string): number {
  const most = Math.floor(one.length / 3);
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let above = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [row, letter] of one.split("").entries()) {
    const line = [row + 1];
    for (const [column, against] of other.split("").entries()) {
      const changed = (above[column] ?? 0) + (letter === against ? 0 : 1);
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  const slips = above.at(-1) ?? Infinity;
  return slips <= most ? slips : Infinity;
}

/** Those of the names that a word is nearest to, all of them by as many slips; none where none is near. */
export function nearestNames(word: string, names: readonly string[]): readonly string[] {
  const ranked = names
    .map((name) => ({ name, slips: slipsOf(word, name) }))
    .filter(({ slips }) => slips < Infinity)
    .toSorted((one, other) => one.slips - other.slips);
  return ranked.filter(({ slips }) => slips === ranked[0]?.slips).map(({ name }) => name);
}

/** Two letters that have changed places are one slip, also in a word of two. */
function slipsOf(word: string, name: string): number {
  const at = word.split("").findIndex((letter, n) => letter !== name[n]);
  const swapped = `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
  if (at >= 0 && swapped === name) return 1;
  return word.length < name.length ? slipsBetween(name, word) : slipsBetween(word, name);
}

/**
 * How many questions are put to the store at once: so few that neither Redis nor this process is kept
 * from an alert for longer than a millisecond by what they answer.
 */
export const ASKED_AT_ONCE = 32;

/** Asks for each item, in parts; answers in order. */
export async function askInParts<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
  atOnce = ASKED_AT_ONCE,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(ask))));
  }
  return answers;
}

/** How many questions are on their way to Redis at once. */
export const ASKED_AT_ONCE = 200;

/** Asks about each item, so many at a time that nobody waits long behind them; answers in order. */
export async function askInParts<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += ASKED_AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(from, from + ASKED_AT_ONCE).map(ask))));
  }
  return answers;
}

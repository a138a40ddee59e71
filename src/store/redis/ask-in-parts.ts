/** How many commands are sent to Redis at once. */
export const ASKED_AT_ONCE = 200;

/** Sends a command for each item, in parts, so that others on the connection do not wait long; answers in order. */
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

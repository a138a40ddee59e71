/**
 * How many commands are sent to Redis at once: so few that neither Redis nor this process is kept from
 * an alert for longer than a millisecond by what they answer.
 */
export const ASKED_AT_ONCE = 32;

/** Sends a command for each item, in parts; answers in order. */
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

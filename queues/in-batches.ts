/** Ten thousand questions at once would fill the memory, and keep everyone else on the connection. */
const AT_ONCE = 200;

/** Asks about each item, a few hundred at a time; answers in their order. */
export async function inBatches<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(ask))));
  }
  return answers;
}

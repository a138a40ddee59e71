/** Ten thousand commands at once would fill the memory and block the connection for everyone else. */
const AT_ONCE = 200;

/** Runs a command for each item, a few hundred at a time; results are in the items' order. */
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

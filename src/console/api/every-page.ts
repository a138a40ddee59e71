interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** A list that has pages, whole. */
export async function everyPage<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read(cursor);
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}

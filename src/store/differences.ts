type Json = Readonly<Record<string, unknown>>;

/**
 * What of a value differs from what is expected of it: what is as expected is left out, and null
 * stands for what is expected and absent. So what is known from elsewhere is stored once, and what is
 * stored reads as what is particular. Neither may hold nulls of its own.
 */
export const differencesFrom = (expected: object, value: object): Json =>
  differences(expected as Json, value as Json);

function differences(expected: Json, value: Json): Json {
  const different: Record<string, unknown> = {};
  for (const name of Object.keys(expected)) {
    if (expected[name] !== undefined && value[name] === undefined) different[name] = null;
  }
  for (const name of Object.keys(value)) {
    const own = value[name];
    const usual = expected[name];
    if (own === undefined || own === usual) continue;
    if (isObject(usual) && isObject(own)) {
      const within = differences(usual, own);
      if (Object.keys(within).length > 0) different[name] = within;
    } else if (!isSame(usual, own)) {
      different[name] = own;
    }
  }
  return different;
}

/** The value of which these are the differences, in the order of what is expected. */
export function withDifferences(expected: Json, differences: Json): Json {
  const value: Record<string, unknown> = {};
  for (const [name, usual] of Object.entries({ ...expected, ...differences })) {
    const own = differences[name];
    if (own === null || (own === undefined && usual === undefined)) continue;
    const from = expected[name];
    const isWithin = isObject(from) && (own === undefined || isObject(own));
    value[name] = isWithin ? withDifferences(from, isObject(own) ? own : {}) : (own ?? usual);
  }
  return value;
}

/** Whether `withDifferences` gives the names of this value back in their own order, at any depth. */
export const keepsOrder = (expected: object, value: object): boolean =>
  isInOrder(expected as Json, value as Json);

function isInOrder(expected: Json, value: Json): boolean {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  let at = 0;
  for (const name of Object.keys(expected)) {
    const own = value[name];
    if (own === undefined) continue;
    if (names[at] !== name || !isInOrderWithin(expected[name], own)) return false;
    at += 1;
  }
  return true;
}

function isInOrderWithin(usual: unknown, own: unknown): boolean {
  if (isObject(usual) && isObject(own)) return isInOrder(usual, own);
  // A list is given back as it is expected, or as it is.
  if (!Array.isArray(usual) || !isSame(usual, own)) return true;
  return JSON.stringify(usual) === JSON.stringify(own);
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && areSame(Object(one), Object(other));
  return isObject(one) && isObject(other) && areSame(one, other);
}

function areSame(one: Json, other: Json): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(one[name], other[name]))
  );
}

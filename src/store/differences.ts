type Json = Readonly<Record<string, unknown>>;

/**
 * What of a value differs from what is expected of it: what is as expected is left out, and null
 * stands for what is expected and absent. So what is known from elsewhere is stored once, and what is
 * stored reads as what is particular. Neither may hold nulls of its own.
 */
export function differencesFrom(expected: Json, value: Json): Json {
  const different: Record<string, unknown> = {};
  for (const name of Object.keys(expected)) {
    if (expected[name] !== undefined && value[name] === undefined) different[name] = null;
  }
  for (const [name, own] of Object.entries(value)) {
    const usual = expected[name];
    if (own === undefined || isSame(usual, own)) continue;
    if (!isObject(usual) || !isObject(own)) {
      different[name] = own;
      continue;
    }
    const within = differencesFrom(usual, own);
    if (Object.keys(within).length > 0) different[name] = within;
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

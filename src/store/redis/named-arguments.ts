/** What the arguments of a script are called, in their order: no place in them is counted by hand. */
export type Names = readonly string[];

/** What each of them is called in the script, where those of `before` stand before them. */
export function inLua<Of extends Names>(names: Of, ...before: readonly Names[]) {
  const first = before.flat().length + 1;
  const called = names.map((name, at) => [name, `ARGV[${first + at}]`]);
  return Object.fromEntries(called) as Readonly<Record<Of[number], string>>;
}

/** Arguments as they are sent. */
export type Sent = readonly (string | number)[];

export const inOrder = <Of extends Names>(
  names: Of,
  values: Readonly<Record<Of[number], string | number>>,
): Sent => names.map((name) => values[name as Of[number]]);

/** A value as JSON; "" for none. */
export const asJson = (value: object | undefined): string =>
  value === undefined ? "" : JSON.stringify(value);

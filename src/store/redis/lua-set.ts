/** A table for a script, of what is true: everything that is not in it is false there. */
export function luaSet<Name extends string>(
  table: Readonly<Record<Name, boolean>>,
  spelt: (name: Name) => string = (name) => name,
): string {
  const names = (Object.keys(table) as Name[]).filter((name) => table[name]).map(spelt);
  return `{ ${names.map((name) => `${name} = true`).join(", ")} }`;
}

import type { AlertFields } from "../alert-fields.ts";

type Names = readonly [name: string, ...aliases: string[]];

/** Names of one and the same thing: whoever gives two of them has said two things. */
export function oneOfNames(fields: AlertFields, names: Names): Names {
  const [first, ...others] = names.filter((name) => fields.has(name));
  for (const other of others) {
    fields.problem(other, `says the same as ${String(first)}: give one of the two`);
  }
  return names;
}

/** Where a part of a document is: the names that lead to it. */
type Path = readonly string[];

/**
 * A part of our document with what it refers to in its place, as Swagger UI asks for it. Its own way goes
 * through the whole document for each part, which takes seconds; ours is one file that refers to itself
 * alone, and states everything at each operation.
 */
export async function resolvePart(
  document: object,
  path: Path,
): Promise<{ readonly spec: unknown; readonly errors: readonly never[] }> {
  return { spec: follow(document, partAt(document, path), []), errors: [] };
}

/** `followed` are the references on the way here: one that leads back into itself stays. */
function follow(document: object, value: unknown, followed: Path): unknown {
  if (Array.isArray(value)) return value.map((item) => follow(document, item, followed));
  if (typeof value !== "object" || value === null) return value;
  const reference = "$ref" in value ? value.$ref : undefined;
  if (typeof reference !== "string") return followEach(document, value, followed);
  if (followed.includes(reference)) return value;
  const { $ref: _, ...beside } = value as { $ref: string };
  const found = follow(document, partAt(document, pathOf(reference)), [...followed, reference]);
  // What stands beside a reference counts too; the mark is where Swagger UI reads a schema's name.
  const own = followEach(document, beside, followed);
  return typeof found === "object" ? { ...found, ...own, $$ref: reference } : found;
}

const followEach = (document: object, value: object, followed: Path): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, follow(document, part, followed)]),
  );

/** Undefined where there is none. */
function partAt(document: object, path: Path): unknown {
  let part: unknown = document;
  for (const name of path) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = Reflect.get(part, name);
  }
  return part;
}

/** `#/components/schemas/Order` as a path. */
const pathOf = (reference: string): Path =>
  reference
    .replace(/^#\//, "")
    .split("/")
    .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));

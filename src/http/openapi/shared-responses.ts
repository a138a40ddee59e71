type Json = Readonly<Record<string, unknown>>;
/** By path, then by method. */
type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/**
 * Routes fail in the same ways, and most of a document was these ways written out again. Each that
 * several routes have is said once, under its codes, and referred to.
 */
export function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Json } {
  const shared = findShared(paths);
  const referred = mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      responses: mapValues(operation["responses"] as Json, (response, status) => {
        const name = nameOf(status, response);
        const isShared = name !== undefined && shared.get(name) === JSON.stringify(response);
        return isShared ? { $ref: `#/components/responses/${name}` } : response;
      }),
    })),
  );
  const responses = [...shared].map(([name, text]) => [name, JSON.parse(text) as unknown] as const);
  return { paths: referred, responses: Object.fromEntries(responses) };
}

/** What has a name more than once, as text; the first one where two differ under it. */
function findShared(paths: Paths): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const shared = new Map<string, string>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(operation["responses"] as Json)) {
      const name = nameOf(status, response);
      if (name === undefined) continue;
      const text = JSON.stringify(response);
      if (seen.get(name) === text) shared.set(name, text);
      else if (!seen.has(name)) seen.set(name, text);
    }
  }
  return shared;
}

/** `404.NOT_FOUND`: its status, and the codes that it has examples of. Undefined for any other. */
function nameOf(status: string, response: unknown): string | undefined {
  const { content } = response as { readonly content?: Readonly<Record<string, Json>> };
  const codes = Object.keys((content?.["application/json"]?.["examples"] ?? {}) as Json);
  return Number(status) < 400 || codes.length === 0 ? undefined : [status, ...codes].join(".");
}

const mapValues = <In, Out>(
  object: Readonly<Record<string, In>>,
  to: (value: In, name: string) => Out,
): Readonly<Record<string, Out>> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, to(value, name)]));

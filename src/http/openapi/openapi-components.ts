import type { TSchema } from "@sinclair/typebox";

type Json = Readonly<Record<string, unknown>>;

export interface Components {
  /** The schema as the document shows it: a reference when it has a title, else written out. */
  readonly refer: (schema: TSchema) => Json;
  readonly schemas: () => Readonly<Record<string, Json>>;
}

/** Collects every schema that has a title under `components/schemas`. */
export function createComponents(): Components {
  const found = new Map<string, { text: string; json: Json }>();

  function refer(schema: TSchema): Json {
    const { title } = schema;
    if (title === undefined) return toJson(schema);
    // TypeBox copies what it marks as optional, so sameness is a matter of content.
    const text = JSON.stringify(schema);
    const known = found.get(title);
    if (known !== undefined && known.text !== text) {
      throw new Error(`two schemas are called ${title}`);
    }
    if (known === undefined) found.set(title, { text, json: toJson(schema) });
    return { $ref: `#/components/schemas/${title}` };
  }

  function toJson(schema: TSchema): Json {
    const entries = Object.entries(schema)
      .filter(([keyword]) => keyword !== "title")
      .map(([keyword, value]) => [keyword, convert(keyword, value)]);
    return withoutDefaulted(Object.fromEntries(entries) as Json, schema);
  }

  function convert(keyword: string, value: unknown): unknown {
    if (keyword === "properties" || keyword === "patternProperties") {
      const properties = Object.entries(value as Record<string, TSchema>);
      return Object.fromEntries(
        properties.map(([name, schema]) => [name, refer(defaultInWords(schema))]),
      );
    }
    if (keyword === "items") return refer(value as TSchema);
    if (keyword === "anyOf") return (value as TSchema[]).map(refer);
    return value;
  }

  return {
    refer,
    schemas: () => Object.fromEntries([...found].map(([name, { json }]) => [name, json])),
  };
}

/**
 * Generators of clients take a field that has a default for one that is always there, in requests
 * too. So the document says in words what is taken where it is left out.
 */
function defaultInWords(schema: TSchema): TSchema {
  if (schema.default === undefined) return schema;
  const { default: value, ...rest } = schema;
  const words = `Left out, it is ${JSON.stringify(value)}`;
  const { description } = rest;
  return { ...rest, description: description === undefined ? words : `${description}. ${words}` };
}

/** A field with a default is required of the handler's input, not of the caller. */
function withoutDefaulted({ required, ...json }: Json, { properties }: TSchema): Json {
  if (!Array.isArray(required)) return json;
  const needed = (required as string[]).filter(
    (name) => (properties as Record<string, TSchema> | undefined)?.[name]?.default === undefined,
  );
  return needed.length === 0 ? json : { ...json, required: needed };
}

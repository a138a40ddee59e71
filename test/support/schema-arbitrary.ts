import fc, { type Arbitrary } from "fast-check";
import { ANY_CHARACTER } from "./any-character.ts";

/** As much of JSON Schema as the API document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

/** More than any schema nests; what goes on beyond it is anything. */
const DEEPEST = 6;
/** A field in so many is something that the schema does not allow. */
const WRONG_EVERY = 12;

/** Makes values that mostly keep a schema, and now and then break it somewhere. */
export class SchemaArbitrary {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;

  /** `schemas` are the document's components, which references name. */
  constructor(schemas: Readonly<Record<string, unknown>>) {
    this.#schemas = schemas as Readonly<Record<string, JsonSchema>>;
  }

  of(schema: JsonSchema, depth = 0): Arbitrary<unknown> {
    if (depth > DEEPEST) return ANYTHING;
    const right = this.#right(schema, depth);
    return fc.oneof(
      { weight: WRONG_EVERY - 1, arbitrary: right },
      { weight: 1, arbitrary: ANYTHING },
    );
  }

  #right(schema: JsonSchema, depth: number): Arbitrary<unknown> {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split("/").at(-1) ?? "";
      return this.of(this.#schemas[name] ?? {}, depth + 1);
    }
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const { type, anyOf, oneOf } = schema;
    if (oneOf !== undefined) return fc.oneof(...oneOf.map((branch) => this.of(branch, depth + 1)));
    // Beside a type it only says which fields there must be.
    if (type !== undefined || anyOf === undefined) return this.#ofType(schema, depth);
    return fc.oneof(...anyOf.map((branch) => this.of(branch, depth + 1)));
  }

  #ofType(schema: JsonSchema, depth: number): Arbitrary<unknown> {
    const { type, minimum = -1_000, maximum = 100_000, items = {} } = schema;
    switch ([type].flat()[0]) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return fc.array(this.of(items, depth + 1), { maxLength: 3 });
      case "integer":
        return fc.integer({
          min: Math.ceil(minimum),
          max: Math.max(Math.ceil(minimum), Math.min(maximum, 1_000)),
        });
      case "number":
        return fc.oneof(
          fc.integer({ min: 1, max: 200 }).map((quarters) => quarters / 4),
          fc.double({ min: minimum, max: maximum, noNaN: true }),
        );
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "string":
        return text(schema);
      case undefined:
      default:
        return ANYTHING;
    }
  }

  #object({ properties = {}, required = [] }: JsonSchema, depth: number): Arbitrary<unknown> {
    const fields = Object.entries(properties).map(
      ([name, schema]) => [name, this.of(schema, depth + 1)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }
}

const ANYTHING: Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", 0, -1, 1e300, null, [], {}, "__proto__", "ES1!", "paper-1"),
);

function text({ pattern, minLength = 0, maxLength = 40, examples = [] }: JsonSchema) {
  const any = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
  const known = examples.length > 0 ? [fc.constantFrom(...(examples as string[]))] : [];
  const kept = pattern === undefined ? [any] : [fc.stringMatching(new RegExp(pattern))];
  return fc.oneof(...known, ...kept);
}

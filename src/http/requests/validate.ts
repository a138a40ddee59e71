import type { TObject, TSchema } from "@sinclair/typebox";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { errors, type Problem } from "../../errors.ts";
import { toProblems } from "./problems.ts";
import { readJson } from "./strict-json.ts";

const OPTIONS = {
  allErrors: true,
  strict: true,
  // "At least one of these two" names fields in a branch that does not define them.
  strictRequired: false,
  useDefaults: true,
  // Hands a failed check its schema, so that the message can list what was possible.
  verbose: true,
} as const;

export interface BodyReader {
  (text: string): unknown;
  /** Whether no body is read as an empty object. */
  readonly mayBeAbsent: boolean;
}

/** Turns schemas into readers; a schema that was compiled before is not compiled again. */
export interface Validators {
  /** Text to a valid body, or a VALIDATION_FAILED that names every problem. */
  readonly bodyReader: (schema: TSchema, mayBeAbsent?: true) => BodyReader;
  /** A query string to valid values; names that the route does not know are refused. */
  readonly queryReader: (schema: TObject) => (queryString: string) => unknown;
}

// One of each for the process: Ajv keeps what it compiled by schema, and a second app in the same process costs nothing.
const bodies = new Ajv2020({ ...OPTIONS, coerceTypes: false });
const queries = new Ajv2020({ ...OPTIONS, coerceTypes: true });

export const validators: Validators = {
  bodyReader: (schema, mayBeAbsent) => bodyReader(bodies.compile(schema), mayBeAbsent === true),
  queryReader: (schema) => queryReader(queries.compile(schema)),
};

function bodyReader(validate: ValidateFunction, mayBeAbsent: boolean): BodyReader {
  return Object.assign(readBodyText, { mayBeAbsent });

  function readBodyText(text: string): unknown {
    const { value, problems } = readJson(mayBeAbsent && text.trim() === "" ? "{}" : text);
    if (value === undefined) throw errors.validationFailed(problems);
    if (validate(value) && problems.length === 0) return value;
    throw errors.validationFailed(toProblems(validate.errors ?? [], "body", problems));
  }
}

function queryReader(validate: ValidateFunction) {
  return function readQuery(queryString: string): unknown {
    const values: Record<string, string> = {};
    const problems: Problem[] = [];
    if (queryString !== "") {
      for (const [name, value] of new URLSearchParams(queryString)) {
        if (Object.hasOwn(values, name)) {
          problems.push({ path: name.slice(0, 64), message: "is given more than once" });
        }
        // Defined, not assigned: a parameter called `__proto__` is one more unknown name.
        Object.defineProperty(values, name, {
          value,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
    }
    const isValid = validate(values);
    problems.push(...notFinite(values));
    if (isValid && problems.length === 0) return values;
    throw errors.validationFailed(toProblems(validate.errors ?? [], "query", problems));
  };
}

/**
 * Ajv holds no number to its bounds that is not finite, and coerces the texts `Infinity` and `1e400`
 * to one. A body has none: `readJson` refuses them.
 */
function notFinite(values: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(values)
    .filter(([, value]) => typeof value === "number" && !Number.isFinite(value))
    .map(([path]) => ({ path, message: "is too large a number" }));
}

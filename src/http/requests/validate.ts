import { setImmediate } from "node:timers/promises";
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
  // A name, or what it stands for.
  allowUnionTypes: true,
  useDefaults: true,
  // Of a choice between objects, only the one that was meant is told of.
  discriminator: true,
  // Hands a failed check its schema, so that the message can list what was possible.
  verbose: true,
  // That a schema is one is tested.
  validateSchema: false,
} as const;

export interface BodyReader {
  (text: string): unknown;
  /** Whether no body is read as an empty object. */
  readonly mayBeAbsent: boolean;
}

/**
 * Turns schemas into readers. A schema is compiled when it is first needed, or soon after the start:
 * the start itself does not wait for a hundred of them.
 */
export interface Validators {
  /** Text to a valid body, or a VALIDATION_FAILED that names every problem. */
  readonly bodyReader: (schema: TSchema, mayBeAbsent?: true) => BodyReader;
  /** A query string to valid values; names that the route does not know are refused. */
  readonly queryReader: (schema: TObject) => (queryString: string) => unknown;
  /** Compiles what was not needed yet, a piece at a time. */
  readonly compileRest: () => Promise<void>;
}

// One of each for the process: Ajv keeps what it compiled by schema, and a second app in the same process costs nothing.
const bodies = new Ajv2020({ ...OPTIONS, coerceTypes: false });
const queries = new Ajv2020({ ...OPTIONS, coerceTypes: true });

/** Those that are not compiled yet. */
const waiting = new Set<() => ValidateFunction>();

export const validators: Validators = {
  bodyReader: (schema, mayBeAbsent) =>
    bodyReader(compileLater(bodies, schema), mayBeAbsent === true),
  queryReader: (schema) => queryReader(compileLater(queries, schema)),
  compileRest: async () => {
    for (const compile of waiting) {
      compile();
      await setImmediate();
    }
  },
};

function compileLater(ajv: Ajv2020, schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const compile = (): ValidateFunction => {
    waiting.delete(compile);
    return (compiled ??= ajv.compile(schema));
  };
  waiting.add(compile);
  return compile;
}

function bodyReader(validator: () => ValidateFunction, mayBeAbsent: boolean): BodyReader {
  return Object.assign(readBodyText, { mayBeAbsent });

  function readBodyText(text: string): unknown {
    const validate = validator();
    const { value, problems } = readJson(mayBeAbsent && text.trim() === "" ? "{}" : text);
    if (value === undefined) throw errors.validationFailed(problems);
    if (validate(value) && problems.length === 0) return value;
    throw errors.validationFailed(toProblems(validate.errors ?? [], "body", problems));
  }
}

function queryReader(validator: () => ValidateFunction) {
  return function readQuery(queryString: string): unknown {
    const validate = validator();
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

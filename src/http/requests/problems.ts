import type { ErrorObject } from "ajv/dist/2020.js";
import type { Problem } from "../../errors.ts";
import { WORDS_OF_PATTERN } from "../schemas/text-patterns.ts";

/** A body of nothing but unknown fields could otherwise make its answer larger than itself. */
const MAX_PROBLEMS = 100;

/**
 * What a validator found, for a person: paths in the API's dotted form, messages that say what
 * would be right. A path that `already` has a problem is not reported twice.
 */
export function toProblems(
  found: readonly ErrorObject[],
  subject: string,
  already: readonly Problem[] = [],
): Problem[] {
  const problems = [...already];
  const known = new Set(already.map(({ path }) => path));
  for (const error of found) {
    // The branches of an anyOf fail one by one before the anyOf itself does.
    if (error.schemaPath.includes("/anyOf/")) continue;
    if (error.keyword === "type" && hasChoices(error)) continue;
    const path = pathOf(error) || subject;
    if (known.has(path)) continue;
    known.add(path);
    problems.push({ path, message: messageOf(error) });
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems;
}

/** The choices say more than their type; they fail together. */
function hasChoices({ parentSchema }: ErrorObject): boolean {
  return parentSchema?.["enum"] !== undefined;
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath.split("/").slice(1).map(unescapePointer);
  if (keyword === "required") steps.push(String(params["missingProperty"]));
  if (keyword === "discriminator") steps.push(String(params["tag"]));
  if (keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    steps.push(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  }
  return steps.join(".");
}

const TYPES: Readonly<Record<string, string>> = {
  integer: "must be a whole number",
  number: "must be a number",
  string: "must be text",
  boolean: "must be true or false",
  object: "must be an object",
  array: "must be a list",
  null: "must be null",
};

function messageOf({ keyword, params, parentSchema, data, message }: ErrorObject): string {
  const limit = String(params["limit"]);
  switch (keyword) {
    case "required":
      return "is needed";
    case "additionalProperties":
      return "is not a known field";
    case "type":
      return typeMessage(String(params["type"]), data);
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).map(String).join(", ")}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "exclusiveMinimum":
      return `must be greater than ${limit}`;
    case "minLength":
      return limit === "1" ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minItems":
      return limit === "1" ? "must not be empty" : `must have at least ${limit} entries`;
    case "maxItems":
      return `must have at most ${limit} entries`;
    case "minProperties":
      if (fields(parentSchema).length === 0) return "must not be empty";
      return `needs at least one of ${list(fields(parentSchema))}`;
    case "maxProperties":
      if (fields(parentSchema).length === 0) return `must have at most ${limit} entries`;
      return `needs exactly one of ${list(fields(parentSchema))}`;
    case "discriminator":
      return `must be one of ${tags(parentSchema, String(params["tag"])).join(", ")}`;
    case "anyOf":
      return anyOfMessage(parentSchema, data);
    case "pattern":
      return patternMessage(parentSchema) ?? message ?? "is not valid";
    default:
      return message ?? "is not valid";
  }
}

function patternMessage(schema: ErrorObject["parentSchema"]): string | undefined {
  const words = WORDS_OF_PATTERN[String(schema?.["pattern"])];
  if (words !== undefined) return words;
  const [example] = (schema?.["examples"] ?? []) as readonly string[];
  return example === undefined ? undefined : `must look like ${example}`;
}

/** `type` is one, or several with commas between them. */
function typeMessage(type: string, data: unknown): string {
  const types = type.split(",");
  const wanted = types.map((one) => TYPES[one] ?? `must be of type ${one}`).join(" or ");
  const isQuoted = typeof data === "string" && /^(integer|number)\b/.test(type);
  // "must be a number or null": the verb once.
  const said = wanted.replaceAll(" or must be ", " or ");
  return isQuoted && !types.includes("string") ? `${said}, not text` : said;
}

/** The branches differ in the fields that they need, in the one value that each is, or in their types. */
function anyOfMessage(schema: ErrorObject["parentSchema"], data: unknown): string {
  const names = requiredBy(schema);
  if (names.length > 0) return `needs at least one of ${list(names)}`;
  const branches = (schema?.["anyOf"] ?? []) as readonly { type?: string; const?: unknown }[];
  const values = branches.map((branch) => branch.const);
  if (!values.includes(undefined)) return `must be one of ${values.map(String).join(", ")}`;
  return typeMessage(branches.map(({ type = "value" }) => type).join(","), data);
}

function tags(schema: ErrorObject["parentSchema"], tag: string): string[] {
  const branches = (schema?.["oneOf"] ?? []) as readonly {
    properties: Record<string, TagSchema>;
  }[];
  return branches.flatMap(({ properties }) => properties[tag]?.enum ?? []);
}

interface TagSchema {
  readonly enum?: readonly string[];
}

function fields(schema: ErrorObject["parentSchema"]): string[] {
  return Object.keys((schema?.["properties"] as object | undefined) ?? {});
}

function requiredBy(schema: ErrorObject["parentSchema"]): string[] {
  const branches = (schema?.["anyOf"] ?? []) as readonly { required?: string[] }[];
  return branches.flatMap(({ required }) => required ?? []);
}

function list(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

const unescapePointer = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

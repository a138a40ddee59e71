import { type ErrorCode, ERRORS } from "../../errors.ts";
import { hookStatusOf } from "../present/outcome.ts";
import type { Route } from "../route.ts";
import { Type } from "@sinclair/typebox";
import { choice, Instant } from "../schemas/parts.ts";

const CODES = Object.keys(ERRORS);

export const ErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        code: choice(CODES, {
          description: "What went wrong, for programs. A status can have several codes",
        }),
        message: Type.String({ description: "What went wrong, for people" }),
        details: Type.Array(
          Type.Object({ path: Type.String(), message: Type.String() }, { title: "Problem" }),
          { description: "Each problem of a request that is not valid" },
        ),
        retry: choice(["never", "safe", "check-first"]),
        requestId: Type.String({ description: "Also in the X-Request-Id header" }),
        intentId: Type.Optional(
          Type.String({ description: "Where to look up what became of it, once it was accepted" }),
        ),
        opensAt: Type.Optional(
          Type.String({ ...Instant, description: "When the market opens, on MARKET_CLOSED" }),
        ),
        alertId: Type.Optional(Type.String({ description: "On webhooks" })),
        duplicate: Type.Optional(Type.Boolean({ description: "On webhooks" })),
        unreadFields: Type.Optional(
          Type.Array(Type.String(), {
            description: "On webhooks: fields of the alert that were passed over",
          }),
        ),
        notes: Type.Optional(
          Type.Array(Type.String(), {
            description: "On webhooks: which exits the alert says that its order is to go without",
          }),
        ),
      },
      { title: "ErrorBody" },
    ),
  },
  { title: "Error" },
);

type Json = Readonly<Record<string, unknown>>;

const API_ERRORS: readonly ErrorCode[] = [
  "VALIDATION_FAILED",
  "UNAUTHORIZED",
  "INSUFFICIENT_SCOPE",
  "CROSS_SITE_REFUSED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "STORE_UNAVAILABLE",
];
const BODY_ERRORS: readonly ErrorCode[] = ["REQUEST_TIMEOUT", "UNSUPPORTED_MEDIA_TYPE"];
const DOOR_ERRORS: readonly ErrorCode[] = [
  ...BODY_ERRORS,
  "VALIDATION_FAILED",
  "CROSS_SITE_REFUSED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "STORE_UNAVAILABLE",
];
const HOOK_ERRORS: readonly ErrorCode[] = [
  "VALIDATION_FAILED",
  "NOT_FOUND",
  "REQUEST_TIMEOUT",
  "RATE_LIMITED",
  "STORE_UNAVAILABLE",
  "ACCEPTANCE_UNKNOWN",
];

/** Every error a route can answer with, in the registry's order. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const all = new Set<ErrorCode>(route.errors);
  for (const code of commonErrors(route)) all.add(code);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => all.has(code));
}

function commonErrors(route: Route): readonly ErrorCode[] {
  switch (route.kind) {
    case "api":
    case "person":
      return route.body === undefined ? API_ERRORS : [...API_ERRORS, ...BODY_ERRORS];
    case "hook":
      return HOOK_ERRORS;
    case "publicForm":
      return DOOR_ERRORS;
    case "open":
      return ["INTERNAL_ERROR"];
  }
}

/** What a route is refused with, by status. */
export function errorsByStatus(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = route.kind === "hook" ? hookStatusOf(code) : ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** With an example for each code that it can carry. */
export function errorResponse(codes: readonly ErrorCode[], schema: Json): Json {
  const examples = codes.map((code) => [code, { value: errorExample(code) }] as const);
  return {
    description: codes.map((code) => `${code}: ${ERRORS[code].meaning}`).join(". "),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}

function errorExample(code: ErrorCode): Json {
  const details = code === "VALIDATION_FAILED" ? [{ path: "qty", message: "is needed" }] : [];
  const message = ERRORS[code].meaning;
  const requestId = "5f0c3a52-8b7e-4c52-9a66-0d1a0d1f7a11";
  return { error: { code, message, details, retry: ERRORS[code].retry, requestId } };
}

import type { ServerResponse } from "node:http";

/** A header of answers as the API document has it. */
interface HeaderSpec {
  readonly description: string;
  readonly schema: { readonly type: "string" | "integer" };
}

/** The headers that layers around the routes add. What is not here cannot be told by `tellHeader`. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "Names the request, as the log does: the caller's own, or a new one",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: 'How many requests (q) in how many seconds (w), as "default";q=120;w=60',
    schema: { type: "string" },
  },
  RateLimit: {
    description:
      'How many are left (r), and in how many seconds all are (t), as "default";r=119;t=60',
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "How many requests the quota has",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "How many of them are left",
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": {
    description: "In how many seconds all of them are there again",
    schema: { type: "integer" },
  },
  "Retry-After": {
    description: "How many seconds to wait before the request is sent again",
    schema: { type: "integer" },
  },
} as const satisfies Readonly<Record<string, HeaderSpec>>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The answers of whoever was let in say how much of the quota is left. */
const OF_QUOTAS = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly ResponseHeader[];

/** Which of them an answer may have. */
export function headersOf(
  status: number,
  { hasQuota }: { readonly hasQuota: boolean },
): readonly ResponseHeader[] {
  return [
    "X-Request-Id",
    ...(hasQuota ? OF_QUOTAS : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
  ];
}

export function tellHeader(
  res: ServerResponse,
  name: ResponseHeader,
  value: string | number,
): void {
  res.setHeader(name, String(value));
}

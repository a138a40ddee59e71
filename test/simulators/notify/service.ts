export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mentions?: readonly string[];
}

/** One service, as its documents describe it. */
export interface HttpService {
  /** Whether a request is for it. */
  readonly isAsked: (request: Request) => boolean;
  /** Some answers are waited for. */
  readonly answer: (request: Request) => Answer | Promise<Answer>;
  readonly throttle: (seconds: number) => Answer;
  readonly gone: () => Answer;
  readonly refuse: () => Answer;
}

export const json = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

export const plain = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, body, headers: { "content-type": "text/plain", ...headers } });

/** An object of JSON; undefined where the text is none. */
export function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

export const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);

export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : [];

/** In code points, as most services count. */
export const charactersIn = (text: string): number => Array.from(text).length;

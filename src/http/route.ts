import type { IncomingHttpHeaders } from "node:http";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode, GatewayError } from "../errors.ts";
import type { Person, Visit } from "../trading/people/people.ts";
import type { Scope, Webhook } from "../domain/people/credential.ts";
import type { Received } from "./alerts/delivery.ts";
import type { Answer, AuditedAnswer } from "./answer.ts";
import type { EventStream } from "./stream/event-stream.ts";
import type { Caller } from "../trading/people/caller.ts";

/** One way in which a route succeeds, for the API document. */
export interface ReplySpec {
  readonly status: number;
  readonly description: string;
  /** Absent when there is no body. */
  readonly schema?: TSchema;
  /** Default: application/json. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

export type Tag =
  | "Alerts"
  | "Orders"
  | "Positions"
  | "Accounts"
  | "Limits"
  | "Guards"
  | "Calendars"
  | "Exit plans"
  | "Intents"
  | "Webhooks"
  | "Account groups"
  | "Copy trading"
  | "Strategies"
  | "Notifications"
  | "People"
  | "Operations";

/** A route is data: the router, the validator, the scope check and OpenAPI all read it. */
interface RouteSpec {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the API document writes it: `/v1/accounts/{id}/orders`. */
  readonly path: string;
  /** The operation's name in the API document. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Set where no body means the same as an empty object, and that nothing was lost on the way. */
  readonly bodyMayBeAbsent?: true;
  /** Schemas of the path's parameters by name. */
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly replies: readonly ReplySpec[];
  /** What can go wrong beyond what every route of its kind answers. */
  readonly errors: readonly ErrorCode[];
}

/**
 * Whether anything may be different afterwards. Of a change whose answer from the store is lost
 * nobody knows whether it was made, so its caller is told to look; only of what reads is it certain
 * that it may be asked again. What a caller can neither see nor use without the answer, such as the
 * challenge of a passkey, counts as nothing.
 */
export type Effect = "read" | "change";

/** The line that a change leaves in the log: a fixed sentence, and how much it matters. */
export interface Audit {
  readonly message: string;
  /** Default: warn. */
  readonly level?: "info" | "warn";
}

/** What says who made a change, when no line of the log has to: an intent, a sign-in. */
export const OWN_RECORD = "by its own record";

interface Reading<Input> {
  readonly effect: "read";
  readonly handle: (input: Input) => Promise<Answer>;
}

interface Recorded<Input> {
  readonly effect: "change";
  readonly audit: typeof OWN_RECORD;
  readonly handle: (input: Input) => Promise<Answer>;
}

interface Audited<Input> {
  readonly effect: "change";
  readonly audit: Audit;
  readonly handle: (input: Input) => Promise<AuditedAnswer>;
}

/** What a route does, and who answers for it. */
export type Handled<Input> = Reading<Input> | Recorded<Input> | Audited<Input>;

export interface ApiInput<Query = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
}

interface ApiSpec extends RouteSpec {
  readonly kind: "api";
  readonly scope: Scope;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Set where the body is read as text of any content type; `body` only describes it. */
  readonly takesText?: true;
  /** In bytes; default: 64 KiB. */
  readonly bodyLimit?: number;
  /** Called before the refusal of what an admitted caller sent, where its sender alone would see that. */
  readonly onRefused?: (caller: Caller, error: GatewayError) => Promise<void>;
  /** As the API document names it. Default: application/json. */
  readonly bodyType?: string;
  /** Set where what is given outlives a session: a person must have proven themselves just before. */
  readonly asksProof?: true;
  /** Set where a body that narrows what is asked must not be overlooked. */
  readonly refusesBody?: true;
  /**
   * Set where it is a way out of risk, or can be: a caller who has used up their requests is let
   * through all the same, on a reserve that is for these alone.
   */
  readonly reserve?: "exits" | ((body: unknown) => boolean);
  /** Request headers that the route reads itself, by name. */
  readonly headers?: Readonly<Record<string, TSchema>>;
}

/** A route that asks for an API key, or for a person. */
export type ApiRoute = ApiSpec & Handled<ApiInput>;

interface HookSpec extends RouteSpec {
  readonly kind: "hook";
  /** Whether anything that was posted is for the reserve of exits; the rest is refused then. */
  readonly reserve: (webhook: Webhook, text: string) => boolean;
  readonly body: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
}

/** A route that a charting platform posts to: its path carries the secret. */
export type HookRoute = HookSpec & Recorded<Received>;

export interface PersonInput<Body = unknown> {
  readonly person: Person;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

interface PersonSpec extends RouteSpec {
  readonly kind: "person";
  readonly body?: TSchema;
  /** Set where the person must have proven themselves just before, whatever the use case asks for. */
  readonly asksProof?: true;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
}

/** A route for a person who is signed in, and for no key. */
export type PersonRoute = PersonSpec & Handled<PersonInput>;

export interface PublicFormInput<Body = unknown> {
  readonly visit: Visit;
  /** Who is signed in at the same browser until now. */
  readonly person: Person | undefined;
  readonly body: Body;
}

interface PublicFormSpec extends RouteSpec {
  readonly kind: "publicForm";
  readonly body: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
}

/** A route by which people come in: for everyone, from our own pages. */
export type PublicFormRoute = PublicFormSpec &
  (Reading<PublicFormInput> | Recorded<PublicFormInput>);

/** A route for everyone who can reach the port. */
export interface OpenRoute extends RouteSpec {
  readonly kind: "open";
  readonly effect: "read";
  readonly handle: (headers: IncomingHttpHeaders) => Promise<Answer>;
}

/** As `ApiRoute`, with an answer that goes on until one of both sides ends it. */
export interface StreamRoute extends RouteSpec {
  readonly kind: "stream";
  readonly effect: "read";
  readonly scope: Scope;
  /** Throws what the caller is refused with; resolves with what begins the stream. */
  readonly open: (caller: Caller) => Promise<(stream: EventStream) => void>;
}

/** A route that answers once. */
export type Route = ApiRoute | HookRoute | PersonRoute | PublicFormRoute | OpenRoute;

/** Everything that the router serves. */
export type AnyRoute = Route | StreamRoute;

type TypedApiRoute<Query extends TObject, Body extends TSchema> = Omit<
  ApiSpec,
  "kind" | "query" | "body" | "reserve"
> & {
  readonly query?: Query;
  readonly body?: Body;
  readonly reserve?: "exits" | ((body: Static<Body>) => boolean);
} & Handled<ApiInput<Static<Query>, Static<Body>>>;

/** Keeps the schema types of one route while letting it join a list of others. */
export function apiRoute<Query extends TObject, Body extends TSchema>(
  definition: TypedApiRoute<Query, Body>,
): ApiRoute {
  // Sound because the pipeline hands `handle` only what these very schemas have let through.
  return { kind: "api", ...definition } as unknown as ApiRoute;
}

type TypedPersonRoute<Body extends TSchema> = Omit<PersonSpec, "kind" | "body"> & {
  readonly body?: Body;
} & Handled<PersonInput<Static<Body>>>;

/** As `apiRoute`. */
export function personRoute<Body extends TSchema>(definition: TypedPersonRoute<Body>): PersonRoute {
  return { kind: "person", ...definition } as unknown as PersonRoute;
}

type TypedPublicFormRoute<Body extends TSchema> = Omit<PublicFormSpec, "kind" | "body"> & {
  readonly body: Body;
} & (Reading<PublicFormInput<Static<Body>>> | Recorded<PublicFormInput<Static<Body>>>);

/** As `apiRoute`. */
export function publicFormRoute<Body extends TSchema>(
  definition: TypedPublicFormRoute<Body>,
): PublicFormRoute {
  return { kind: "publicForm", ...definition } as unknown as PublicFormRoute;
}

import type { IncomingHttpHeaders } from "node:http";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../errors.ts";
import type { Caller } from "../trading/gateway.ts";
import type { Person, Visit } from "../trading/people/people.ts";
import type { Scope } from "../domain/credential.ts";
import type { Received } from "./alerts/delivery.ts";
import type { Answer } from "./answer.ts";
import type { EventStream } from "./event-stream.ts";

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
  | "Intents"
  | "Webhooks"
  | "Copy trading"
  | "Strategies"
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
  /** Schemas of the path's parameters by name. */
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly replies: readonly ReplySpec[];
  /** What can go wrong beyond what every route of its kind answers. */
  readonly errors: readonly ErrorCode[];
}

export interface ApiInput<Query = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
}

/** A route that asks for an API key, or for a person. */
export interface ApiRoute extends RouteSpec {
  readonly kind: "api";
  readonly scope: Scope;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Set where the body is read as text of any content type; `body` only describes it. */
  readonly takesText?: true;
  /** Set where what is given outlives a session: a person must have proven themselves just before. */
  readonly asksProof?: true;
  /** Set where a body that narrows what is asked must not be overlooked. */
  readonly refusesBody?: true;
  /** Request headers that the route reads itself, by name. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly handle: (input: ApiInput) => Promise<Answer>;
}

/** A route that a charting platform posts to: its path carries the secret. */
export interface HookRoute extends RouteSpec {
  readonly kind: "hook";
  readonly body: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  readonly handle: (received: Received) => Promise<Answer>;
}

export interface PersonInput<Body = unknown> {
  readonly person: Person;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A route for a person who is signed in, and for no key. */
export interface PersonRoute extends RouteSpec {
  readonly kind: "person";
  readonly body?: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  readonly handle: (input: PersonInput) => Promise<Answer>;
}

export interface DoorInput<Body = unknown> {
  readonly visit: Visit;
  /** Who is signed in at the same browser until now. */
  readonly person: Person | undefined;
  readonly body: Body;
}

/** A route by which people come in: for everyone, from our own pages. */
export interface DoorRoute extends RouteSpec {
  readonly kind: "door";
  readonly body: TSchema;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  readonly handle: (input: DoorInput) => Promise<Answer>;
}

/** A route for everyone who can reach the port. */
export interface OpenRoute extends RouteSpec {
  readonly kind: "open";
  readonly handle: () => Promise<Answer>;
}

/** As `ApiRoute`, with an answer that goes on until one of both sides ends it. */
export interface StreamRoute extends RouteSpec {
  readonly kind: "stream";
  readonly scope: Scope;
  /** Throws what the caller is refused with; resolves with what begins the stream. */
  readonly open: (caller: Caller) => Promise<(stream: EventStream) => void>;
}

/** A route that answers once. */
export type Route = ApiRoute | HookRoute | PersonRoute | DoorRoute | OpenRoute;

/** Everything that the router serves. */
export type AnyRoute = Route | StreamRoute;

interface TypedApiRoute<Query extends TObject, Body extends TSchema> extends Omit<
  ApiRoute,
  "kind" | "query" | "body" | "handle"
> {
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (input: ApiInput<Static<Query>, Static<Body>>) => Promise<Answer>;
}

/** Keeps the schema types of one route while letting it join a list of others. */
export function apiRoute<Query extends TObject, Body extends TSchema>(
  definition: TypedApiRoute<Query, Body>,
): ApiRoute {
  // Sound because the pipeline hands `handle` only what these very schemas have let through.
  return { kind: "api", ...definition } as unknown as ApiRoute;
}

interface TypedPersonRoute<Body extends TSchema> extends Omit<
  PersonRoute,
  "kind" | "body" | "handle"
> {
  readonly body?: Body;
  readonly handle: (input: PersonInput<Static<Body>>) => Promise<Answer>;
}

/** As `apiRoute`. */
export function personRoute<Body extends TSchema>(definition: TypedPersonRoute<Body>): PersonRoute {
  return { kind: "person", ...definition } as unknown as PersonRoute;
}

interface TypedDoorRoute<Body extends TSchema> extends Omit<DoorRoute, "kind" | "body" | "handle"> {
  readonly body: Body;
  readonly handle: (input: DoorInput<Static<Body>>) => Promise<Answer>;
}

/** As `apiRoute`. */
export function doorRoute<Body extends TSchema>(definition: TypedDoorRoute<Body>): DoorRoute {
  return { kind: "door", ...definition } as unknown as DoorRoute;
}

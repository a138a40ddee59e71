import {
  ACCESS_DENIED,
  type Answer,
  badRequest,
  EXPIRED_TOKEN,
  notFound,
  refused,
  SILENCE,
} from "./answer.ts";
import { disturb, type Disturbed } from "./disturbance.ts";
import { type EndpointDeps, ENDPOINTS } from "./endpoints.ts";
import type { EntityType } from "./entities.ts";
import { readEntity } from "./entity-reads.ts";
import { type Fault, type Faults, isOrderCommand, type SocketKind } from "./faults.ts";
import { type Body, textOf } from "./order-request.ts";
import type { Feed } from "./md-access.ts";
import { isOfRisk } from "./risk-settings.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Sessions, TokenSession } from "./sessions.ts";
import { onSocket, type Settings } from "./settings.ts";
import type { Tickets } from "./tickets.ts";
import type { User } from "./users.ts";

export interface ApiRequest {
  /** In lower case, without a slash in front. */
  readonly endpoint: string;
  readonly query: URLSearchParams;
  readonly bodyText: string;
  /** Undefined over the socket, where both are the same. */
  readonly method?: string | undefined;
  /** Of the header; over the socket, the one that authorised it. */
  readonly token: string | undefined;
  /** Cuts the link that the request came by, before it is carried out. */
  readonly cut?: () => void;
  /** What it came by; undefined over REST. */
  readonly socket?: SocketKind | undefined;
  /** Where quotes go; only a market data socket has one. */
  readonly feed?: Feed | undefined;
}

export interface ApiDeps extends EndpointDeps {
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly tickets: Tickets;
  readonly faults: Faults;
  readonly settings: (user: string | undefined) => Settings;
  readonly cutSockets: (user: User, reason: string) => void;
}

export interface Reply extends Disturbed {
  readonly user: string | undefined;
}

/** A request that was read, of a session that is good; a login has none. */
interface Checked extends ApiRequest {
  readonly body: Body;
  readonly session: TokenSession | undefined;
  readonly user: string | undefined;
  readonly settings: Settings;
}

/** Answers requests, whichever way they came. */
export class Api {
  readonly #deps: ApiDeps;

  constructor(deps: ApiDeps) {
    this.#deps = deps;
  }

  call(request: ApiRequest): Reply {
    const { endpoint, bodyText, token, socket } = request;
    const isMd = socket === "md";
    const body = parseBody(hasBody(endpoint) ? bodyText : "");
    const isLogin = LOGIN.has(endpoint);
    const check = isLogin ? undefined : this.#session(token, isMd);
    const session = check !== undefined && "session" in check ? check.session : undefined;
    const user = session?.user.name ?? (isLogin ? textOf(body?.["name"]) : undefined);
    const settings = onSocket(this.#deps.settings(user), isMd);
    const { ms, endpoints } = settings.answerDelay;
    const lateMs = endpoints === undefined || endpoints.includes(endpoint) ? ms : 0;
    if (isSilent(settings.silence, request)) return { outcome: SILENCE, delayMs: 0, user };
    const refuse = (answer: Answer): Reply => ({ outcome: answer, delayMs: lateMs, user });

    if (settings.maintenance) return refuse(refused(503, "Maintenance"));
    if (check !== undefined && "answer" in check) return refuse(check.answer);
    const verdict = session && this.#deps.limits.ask(session.user.name, endpoint, settings);
    if (verdict === 423 || verdict === 429) return refuse(refused(verdict, ""));
    if (body === undefined) return refuse(badRequest("Malformed body"));
    const { outcome, delayMs } = this.#answer({ ...request, body, session, user, settings });
    return { outcome, delayMs: delayMs + lateMs, user };
  }

  #answer(request: Checked): Disturbed {
    const { endpoint, body, session, user, socket } = request;
    const { faults, tickets, cutSockets } = this.#deps;
    const penalty = tickets.check(endpoint, body);
    if (penalty !== undefined) return { outcome: penalty, delayMs: 0 };
    const fault = faults.take({ endpoint, user, socket, body });
    const carryOut = () => this.#carryOut(request, fault);
    if (fault === undefined) return { outcome: carryOut(), delayMs: 0 };
    return disturb(fault, {
      carryOut,
      issueTicket: (seconds, captcha) => tickets.issue(endpoint, seconds, captcha),
      cut: (isAll) => {
        request.cut?.();
        if (isAll && session !== undefined) cutSockets(session.user, "The answer is lost");
      },
    });
  }

  #carryOut(request: Checked, fault: Fault | undefined): Answer {
    const { endpoint, body, session, query, method, settings, feed } = request;
    if (LOGIN.has(endpoint)) return this.#deps.auth.logIn(body);
    if (session === undefined) return ACCESS_DENIED;
    const { user } = session;
    const answer = ENDPOINTS[endpoint];
    if (isOfRisk(endpoint) && settings.riskReads === "refused") return ACCESS_DENIED;
    if (answer === undefined) {
      const { store, syncs } = this.#deps;
      const { listCap } = settings;
      const { accounts } = user;
      const isGone = (type: EntityType, id: number) => syncs.isGone(user, type, id, settings);
      const read = readEntity(endpoint, query, { store, accounts, listCap, isGone });
      return read ?? notFound(endpoint);
    }
    if (method === "GET" && POST_ONLY.test(endpoint)) return notFound(endpoint);
    if (isOrderCommand(endpoint) && isUnknownDevice(session, settings)) return ACCESS_DENIED;
    return answer({ user, session, body, query, fault, feed, settings }, this.#deps);
  }

  #session(
    token: string | undefined,
    isOnMd: boolean,
  ): { answer: Answer } | { session: TokenSession } {
    const checked = this.#deps.sessions.check(token ?? "");
    if (checked.kind === "valid") {
      const { session, isMd } = checked;
      const settings = onSocket(this.#deps.settings(session.user.name), isOnMd);
      if (settings.wrongEnvironment) return { answer: refused(403, "Access is denied") };
      return isMd && !settings.takesMdToken ? { answer: ACCESS_DENIED } : { session };
    }
    if (checked.kind === "expired") return { answer: EXPIRED_TOKEN };
    if (checked.kind === "unknown") return { answer: ACCESS_DENIED };
    const { killedSessionStatus } = this.#deps.settings(checked.user.name);
    return { answer: refused(killedSessionStatus, "") };
  }
}

function isSilent(
  { via, endpoints }: Settings["silence"],
  { endpoint, socket }: Pick<ApiRequest, "endpoint" | "socket">,
): boolean {
  const isMeant = via === "both" || via === (socket === undefined ? "rest" : "socket");
  return isMeant && (endpoints === undefined || endpoints.includes(endpoint));
}

const LOGIN: ReadonlySet<string> = new Set(["auth/accesstokenrequest", "auth/oauthtoken"]);
const POST_ONLY = /^order(strategy)?\/|^user\/syncrequest$/;

const BODILESS: ReadonlySet<string> = new Set([
  "auth/renewaccesstoken",
  "auth/me",
  "contract/find",
  "contract/suggest",
]);

/**
 * What is only read has its words in the query, and its body is passed over: the official examples
 * send the text "undefined" there, and others "null".
 */
function hasBody(endpoint: string): boolean {
  return LOGIN.has(endpoint) || (ENDPOINTS[endpoint] !== undefined && !BODILESS.has(endpoint));
}

function parseBody(text: string): Body | undefined {
  if (text.trim() === "") return {};
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    return isObject ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** Live wants to know the device that orders come from. */
function isUnknownDevice({ hasDeviceId }: TokenSession, settings: Settings): boolean {
  const { deviceIdForOrders: when, environment } = settings;
  const isWanted = when === "always" || (when === "live" && environment === "live");
  return isWanted && !hasDeviceId;
}

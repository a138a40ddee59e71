import type { EventLog } from "../exchange/event-log.ts";
import { type Answer, badRequest, ok, refused } from "./answer.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { type Body, textOf } from "./order-request.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Sessions, TokenSession } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import type { User, Users } from "./users.ts";

export interface AuthDeps {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly limits: RateLimits;
  readonly clock: BrokerClock;
  readonly log: EventLog;
  readonly settings: (user: string | undefined) => Settings;
  /** Whether a name that nobody registered becomes a user with the password it comes with. */
  readonly takesAnyone: () => boolean;
}

const TOKEN_REQUEST = "auth/accesstokenrequest";
const WRONG_PASSWORD =
  "Incorrect username or password. Please try again, noting that passwords are case-sensitive.";
const LONGEST = 64;
const FIELDS = ["name", "password", "appId", "appVersion", "deviceId"];
const PASSWORD_LIFE_MS = 10 * 365 * 86_400_000;

/** Logins, renewals, and who one is. */
export class Auth {
  readonly #deps: AuthDeps;

  constructor(deps: AuthDeps) {
    this.#deps = deps;
  }

  /** Opens a session. What is wrong with the credentials is told inside 200. */
  logIn(body: Body): Answer {
    const { name, password } = body;
    if (typeof name !== "string" || typeof password !== "string") {
      return badRequest("Missing field: name, password");
    }
    const tooLong = FIELDS.find((field) => (textOf(body[field]) ?? "").length > LONGEST);
    if (tooLong !== undefined) return badRequest(`${tooLong} is longer than ${LONGEST}`);

    const { limits, settings, sessions, log } = this.#deps;
    const mine = settings(name);
    const key = `${TOKEN_REQUEST} ${name}`;
    const verdict = limits.peek(key, mine.endpointLimits[TOKEN_REQUEST], mine);
    if (verdict !== "ok") return refused(verdict, "");
    const entry = log.add({ connection: name, op: "login", outcome: "accepted" });
    const errorText = mine.loginError ?? this.#check(name, password);
    if (errorText !== undefined) {
      limits.count(key);
      entry.outcome = "rejected";
      entry.reason = errorText;
      return ok({ errorText });
    }
    const user = this.#deps.users.find(name);
    if (user === undefined) return ok({ errorText: WRONG_PASSWORD });
    const session = sessions.open(user, typeof body["deviceId"] === "string");
    return ok(this.#tokenAnswer(session));
  }

  renew(session: TokenSession): Answer {
    return ok(this.#tokenAnswer(session));
  }

  me({ id, name }: User): Answer {
    return ok({
      userId: id,
      fullName: name,
      email: `${name}@example.com`,
      emailVerified: true,
      isTrial: false,
    });
  }

  #check(name: string, password: string): string | undefined {
    const { users, takesAnyone } = this.#deps;
    const user = users.find(name);
    if (user !== undefined) return user.password === password ? undefined : WRONG_PASSWORD;
    if (!takesAnyone()) return WRONG_PASSWORD;
    users.register({ name, password });
    return undefined;
  }

  #tokenAnswer(session: TokenSession): object {
    const { sessions, clock } = this.#deps;
    const { accessToken, mdAccessToken, expiresAt } = sessions.issue(session);
    const { mdAccess } = this.#deps.settings(session.user.name);
    return {
      accessToken,
      ...(mdAccess !== "noToken" && { mdAccessToken }),
      expirationTime: new Date(expiresAt).toISOString(),
      passwordExpirationTime: clock.iso(PASSWORD_LIFE_MS),
      userStatus: "Active",
      userId: session.user.id,
      name: session.user.name,
      hasLive: true,
      hasMarketData: mdAccess === "full",
      hasSimPlus: false,
    };
  }
}

import { errors } from "../../errors.ts";
import type { People, SignedIn, Visit } from "../../trading/people/people.ts";
import type { Answer } from "../answer.ts";
import { presentSession } from "../present/person.ts";
import {
  OWN_RECORD,
  type PersonRoute,
  personRoute,
  type PublicFormRoute,
  publicFormRoute,
} from "../route.ts";
import {
  AnswerPasskeyBody,
  ASKED_PASSKEY,
  AskForPasskeyBody,
  ASSERTION,
  CeremonyReply,
  ConfirmBody,
  SESSION,
  SessionReply,
  SignInBody,
} from "../schemas/person.ts";
import { FORGET_SESSION, keepSession } from "../server/session-cookie.ts";

const TAG = "People";
const COOKIE = { "Set-Cookie": "The session under a new secret" };

/** How the routes that begin or renew a session succeed. */
export const SIGNED_IN = {
  status: 200,
  description: "Signed in",
  schema: SessionReply,
  headers: COOKIE,
  example: SESSION,
};

export interface PeopleRouteDeps {
  readonly people: People;
}

/** Coming in, staying and going. */
export function sessionRoutes({ people }: PeopleRouteDeps): (PersonRoute | PublicFormRoute)[] {
  return [...stay(people), ...passwords(people), ...passkeys(people)];
}

/** The answer to whoever has just proven who they are. */
export function welcomeIn({ user, ...opened }: SignedIn, { site }: Visit): Answer {
  const body = presentSession(user, opened.session, site);
  return { status: 200, body, headers: keepSession(opened) };
}

function stay(people: People): PersonRoute[] {
  const shared = { path: "/v1/session", tag: TAG, errors: [] } as const;
  return [
    personRoute({
      ...shared,
      method: "GET",
      id: "readSession",
      effect: "read",
      summary: "Who is signed in, and for how long",
      replies: [
        { status: 200, description: "The session", schema: SessionReply, example: SESSION },
      ],
      handle: async ({ person }) => ({
        status: 200,
        body: presentSession(await people.readSession(person), person.session, person.visit.site),
      }),
    }),
    personRoute({
      ...shared,
      method: "DELETE",
      id: "signOut",
      effect: "change",
      audit: { message: "Signed out", level: "info" },
      summary: "Sign out",
      description:
        "Ends the session and its streams. What was ordered in it goes on: nobody leaves a position half closed by going.",
      replies: [{ status: 204, description: "Signed out" }],
      async handle({ person }) {
        await people.signOut(person);
        return { status: 204, headers: FORGET_SESSION, changed: {} };
      },
    }),
  ];
}

function passwords(people: People): (PersonRoute | PublicFormRoute)[] {
  return [
    publicFormRoute({
      path: "/v1/session",
      tag: TAG,
      method: "POST",
      id: "signIn",
      effect: "change",
      audit: OWN_RECORD,
      summary: "Sign in with name and password",
      description:
        "After 5 failures of a name from one address, 30 from one address or 20 of a name, the next attempts wait: at most 15 minutes.",
      body: SignInBody,
      bodyExamples: { owner: { name: "owner", password: "<password>" } },
      replies: [SIGNED_IN],
      errors: ["SIGN_IN_FAILED", "SIGN_IN_BUSY"],
      handle: async ({ visit, person, body }) =>
        welcomeIn(await people.signIn(visit, body, person), visit),
    }),
    personRoute({
      path: "/v1/session/confirm",
      tag: TAG,
      method: "POST",
      id: "confirmSession",
      effect: "change",
      audit: OWN_RECORD,
      summary: "Confirm who one is, by the password",
      description: "What gives lasting access asks for a confirmation of the last 15 minutes.",
      body: ConfirmBody,
      bodyExamples: { password: { password: "<password>" } },
      replies: [SIGNED_IN],
      errors: ["SIGN_IN_FAILED", "SIGN_IN_BUSY", "RATE_LIMITED"],
      handle: async ({ person, body: { password } }) =>
        welcomeIn(await people.confirm(person, password), person.visit),
    }),
  ];
}

function passkeys(people: People): PublicFormRoute[] {
  return [
    publicFormRoute({
      path: "/v1/session/passkey/options",
      tag: TAG,
      method: "POST",
      id: "askForPasskey",
      effect: "read",
      summary: "Begin to sign in, or to confirm, with a passkey",
      description: "What it answers holds for 5 minutes, and once.",
      body: AskForPasskeyBody,
      bodyMayBeAbsent: true,
      bodyExamples: { signIn: {}, confirm: { confirm: true } },
      replies: [
        {
          status: 200,
          description: "What the browser is to ask its person's passkey",
          schema: CeremonyReply,
          example: ASKED_PASSKEY,
        },
      ],
      errors: ["UNAUTHORIZED"],
      async handle({ visit, person, body: { confirm = false } }) {
        if (confirm && person === undefined) throw errors.sessionOver();
        const asked = await people.askForPasskey(visit, confirm ? person : undefined);
        return { status: 200, body: asked };
      },
    }),
    publicFormRoute({
      path: "/v1/session/passkey",
      tag: TAG,
      method: "POST",
      id: "signInByPasskey",
      effect: "change",
      audit: OWN_RECORD,
      summary: "Sign in, or confirm, with a passkey",
      body: AnswerPasskeyBody,
      bodyExamples: { answer: ASSERTION },
      replies: [SIGNED_IN],
      errors: ["SIGN_IN_FAILED"],
      handle: async ({ visit, person, body }) =>
        welcomeIn(await people.signInByPasskey(visit, body, person), visit),
    }),
  ];
}

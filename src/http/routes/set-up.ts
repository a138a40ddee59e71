import { presentPerson } from "../present/person.ts";
import {
  OWN_RECORD,
  type PersonRoute,
  personRoute,
  type PublicFormRoute,
  publicFormRoute,
} from "../route.ts";
import {
  ChangePasswordBody,
  CHECKED_SET_UP,
  CheckSetUpBody,
  CheckSetUpReply,
  SetUpBody,
} from "../schemas/person.ts";
import { type PeopleRouteDeps, SIGNED_IN, welcomeIn } from "./session.ts";

const TAG = "People";

/** Choosing what one signs in with. */
export function setUpRoutes({ people }: PeopleRouteDeps): (PublicFormRoute | PersonRoute)[] {
  return [
    publicFormRoute({
      path: "/v1/set-up/check",
      tag: TAG,
      method: "POST",
      id: "checkSetUp",
      effect: "read",
      summary: "Whose set-up link it is",
      body: CheckSetUpBody,
      bodyExamples: { link: { token: "<token>" } },
      replies: [
        {
          status: 200,
          description: "The link holds",
          schema: CheckSetUpReply,
          example: CHECKED_SET_UP,
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ body: { token } }) {
        const { user, isFirst } = await people.checkSetUp(token);
        return { status: 200, body: { user: presentPerson(user), isFirst } };
      },
    }),
    publicFormRoute({
      path: "/v1/set-up",
      tag: TAG,
      method: "POST",
      id: "setUp",
      effect: "change",
      audit: OWN_RECORD,
      summary: "Choose name and password by a set-up link",
      description: "Uses the link up, ends every session that the user had, and signs in.",
      body: SetUpBody,
      bodyExamples: { owner: { token: "<token>", name: "owner", password: "<password>" } },
      replies: [SIGNED_IN],
      errors: ["NOT_FOUND", "NAME_TAKEN", "SIGN_IN_BUSY"],
      async handle({ visit, person, body: { forgetPasskeys = false, ...chosen } }) {
        return welcomeIn(await people.setUp(visit, { ...chosen, forgetPasskeys }, person), visit);
      },
    }),
    personRoute({
      path: "/v1/user/password",
      tag: TAG,
      method: "PUT",
      id: "changePassword",
      effect: "change",
      audit: { message: "Password changed" },
      summary: "Change one's password",
      description: "Ends all other sessions of the user.",
      body: ChangePasswordBody,
      bodyExamples: { one: { newPassword: "<password>" } },
      replies: [{ status: 204, description: "Changed" }],
      errors: ["SIGN_IN_AGAIN", "SIGN_IN_BUSY"],
      async handle({ person, body: { newPassword } }) {
        await people.changePassword(person, newPassword);
        return { status: 204, changed: {} };
      },
    }),
  ];
}

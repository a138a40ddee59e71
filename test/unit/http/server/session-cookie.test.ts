import { expect, test } from "vitest";
import { readSessionCookie } from "../../../../src/http/server/session-cookie.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["other=1", undefined],
  ["session=gws_x", undefined],
  ["__Host-session2=gws_x", undefined],
  ["x__Host-session=gws_x", undefined],
  ["__Host-session=gws_x", "gws_x"],
  ["a=1; __Host-session=gws_x; b=2", "gws_x"],
  ["a=1;__Host-session=gws_x", "gws_x"],
  ["__Host-session=", ""],
  ["__Host-session", undefined],
])("of %j the session is %j", (cookie, secret) => {
  expect(readSessionCookie(cookie === undefined ? {} : { cookie })).toBe(secret);
});

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const Time = Type.Number();

/** What the next owner of a connection must know of its logins. Times are Unix ms. */
const LoginRecord = Type.Object(
  {
    /** Tells whether the settings are those it was written with. */
    settings: Type.String(),
    pace: Type.Object({
      failures: Type.Integer({ minimum: 0 }),
      notBefore: Time,
      quotaAt: Type.Union([Time, Type.Null()]),
      quotas: Type.Optional(Type.Integer({ minimum: 0 })),
      grantedAt: Type.Array(Time),
    }),
    /** Until when nothing may be asked at all. */
    lockedUntil: Time,
    /** The same of single endpoints. */
    endpointsLockedUntil: Type.Optional(Type.Record(Type.String(), Time)),
    token: Type.Union([
      Type.Null(),
      Type.Object({
        accessToken: Type.String(),
        mdAccessToken: Type.Optional(Type.String()),
        userId: Type.Number(),
        askedAt: Time,
        validForMs: Type.Number(),
      }),
    ]),
  },
  { additionalProperties: false },
);

export type LoginRecord = Static<typeof LoginRecord>;

/** Undefined for what an earlier or later version wrote: it is then as if nothing was kept. */
export function parseLoginRecord(text: string): LoginRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(LoginRecord, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

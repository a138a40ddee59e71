import { describe, expect, test } from "vitest";
import {
  areCredentialsRefused,
  classifyAnswer,
  FAILURE_REASONS,
  limitIn,
} from "../../../../src/brokers/tradovate/classify-error.ts";

/** The specification's list, written down a second time. */
const SPECIFIED = `AccountClosed AdvancedTrailingStopUnsupported AnotherCommandPending
  BackMonthProhibited ExecutionProviderNotConfigured ExecutionProviderUnavailable InvalidContract
  InvalidPrice KeyInformationDocumentRequired LiquidationOnly LiquidationOnlyBeforeExpiration
  MaxOrderQtyIsNotSpecified MaxOrderQtyLimitReached MaxPosLimitMisconfigured MaxPosLimitReached
  MaxTotalPosLimitReached MultipleAccountPlanRequired NoQuote NotEnoughLiquidity
  OtherExecutionRelated ParentRejected RiskCheckTimeout SSFRiskDisclosureAcknowledgmentRequired
  SessionClosed Success TooLate TradingLocked TrailingStopNonOrderQtyModify Unauthorized
  UnknownReason Unsupported`.split(/\s+/);

/** What says nothing of what became of the order. */
const UNKNOWN = ["RiskCheckTimeout", "UnknownReason"];

const answer = (data: unknown, status = 200) => classifyAnswer({ status, data });

describe("what an answer to a command means", () => {
  test("every failure reason of the specification is judged, and no other", () => {
    expect(Object.keys(FAILURE_REASONS).sort()).toEqual([...SPECIFIED].sort());
  });

  test.each(SPECIFIED.filter((reason) => reason !== "Success"))(
    "a refusal keeps the broker's words: %s",
    (failureReason) => {
      const kind = UNKNOWN.includes(failureReason) ? "unknown" : "rejected";
      expect(answer({ failureReason })).toEqual({ kind, reason: failureReason });
      expect(answer({ failureReason, failureText: "Said so" })).toEqual({
        kind,
        reason: `Said so (${failureReason})`,
      });
    },
  );

  test("a reason that nobody has heard of proves nothing", () => {
    expect(answer({ failureReason: "FullMoon" })).toMatchObject({ kind: "unknown" });
  });

  test.each([
    ["an order", { orderId: 516_124_640_014 }],
    ["nothing", {}],
    ["success without an order", { failureReason: "Success" }],
  ])("a body with %s is taken for what it says, and its ids are looked for", (_, data) => {
    expect(answer(data)).toEqual({ kind: "taken", data });
  });

  test.each([
    ["errorText", { errorText: "No" }, "No"],
    ["ok", { ok: false, errorText: "Not this" }, "Not this"],
    ["failureText", { failureText: "Never" }, "Never"],
    ["violations", { violations: [{ description: "Too long" }, { value: 1 }] }, "Too long"],
  ])("a refusal may also be told by %s", (_, data, reason) => {
    expect(answer(data)).toEqual({ kind: "rejected", reason });
  });

  test.each([null, undefined, "text", 7, []])("a body of %j is unknown", (data) => {
    expect(answer(data).kind).toBe("unknown");
  });

  test.each([
    [400, "rejected"],
    [401, "unauthorized"],
    [403, "notSent"],
    [404, "rejected"],
    [408, "unknown"],
    [500, "unknown"],
    [502, "unknown"],
    [503, "unknown"],
    [302, "unknown"],
  ])("status %i is %s", (status, kind) => {
    expect(answer("Access is denied", status)).toMatchObject({ kind, reason: "Access is denied" });
  });

  test("too many requests lock out, after a warning", () => {
    expect(answer(undefined, 423)).toMatchObject({ kind: "tooMany", isLockout: false });
    expect(answer(undefined, 429)).toMatchObject({ kind: "tooMany", isLockout: true });
  });

  test.each([423, 429])("a penalty is one with status %i too, and no lockout", (status) => {
    const given = { status, data: { "p-ticket": "abc", "p-time": 2 } };
    expect(classifyAnswer(given)).toMatchObject({ kind: "penalty", penalty: { waitMs: 2_000 } });
    expect(limitIn(given)).toBeUndefined();
    expect(limitIn({ status, data: "" })).toBe(status === 429 ? "lockout" : "warning");
  });

  test("a server error is unknown, whatever ticket it carries", () => {
    expect(answer({ "p-ticket": "abc" }, 502).kind).toBe("unknown");
  });

  test("a penalty is no refusal: the same may be sent again with its ticket", () => {
    const data = { "p-ticket": "abc", "p-time": 1.5, "p-captcha": false, "p-message": "slow" };
    expect(answer(data)).toEqual({
      kind: "penalty",
      penalty: { ticket: "abc", waitMs: 1_500, isCaptcha: false, message: "slow" },
    });
  });

  test.each([
    "Incorrect username or password. Please try again, noting that passwords are case-sensitive.",
    "Incorrect username or password",
    "Invalid credentials",
    "Your password has expired",
    "The app is not registered",
    "User not found",
  ])("a login that is refused like this needs a person: %s", (words) => {
    expect(areCredentialsRefused(words)).toBe(true);
  });

  test.each([
    "Service temporarily unavailable",
    "Service is not available at this time",
    "Access is denied",
    "Unknown error",
    "Unknown error of user 12",
    "Too many incorrect password attempts",
    "Password service: internal error, invalid state",
    "Please contact support",
    "",
  ])("any other refusal may pass by itself: %s", (words) => {
    expect(areCredentialsRefused(words)).toBe(false);
  });
});

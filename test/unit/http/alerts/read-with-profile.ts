import { expect } from "vitest";
import type { AlertRequest, OrderTerms, ReadAlert } from "../../../../src/domain/alert.ts";
import type { AlertProfile } from "../../../../src/domain/declared/webhook-options.ts";
import type { ExitPlanTicket } from "../../../../src/domain/exits/exit-plan.ts";
import { GatewayError, type Problem } from "../../../../src/errors.ts";
import type { ProfileOptions } from "../../../../src/http/alerts/alert-profile.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";

export type Body = Readonly<Record<string, unknown>>;

/** Values that ask for nothing. */
export const OFF = [false, 0, "", null, "0", "0.00", "false"];

const EXIT =
  /^(?:dollar_|percentage_)?(?:sl|tp)|stop(?!.?price$)|take.?profit|profitTarget|^target$|trail(?!Amount$|Percent$)|bracket|breakeven|^be(?:trigger|offset)$|^at[mr]/i;

/** Those of them that say no of a field, where no stop or target is named by leaving it blank. */
export const offOf = (name: string, none: readonly unknown[] = [false, "false"]) =>
  EXIT.test(name) ? none : OFF;

/** Values that ask for something, whatever the field is. */
export const ON = [true, 1, "1.5", "yes", { on: true }, [1]];

/** Reads bodies of one alert each with one profile. */
export function readWithProfile(profile: AlertProfile) {
  function readText(body: string, options: ProfileOptions = {}): ReadAlert {
    const [alert, ...more] = readAlerts(body, { profile, ...options }).alerts;
    if (alert === undefined || more.length > 0) throw new Error("one body is one alert");
    return alert;
  }
  const read = (body: Body, options?: ProfileOptions): ReadAlert =>
    readText(JSON.stringify(body), options);

  function problemsOfText(body: string, options: ProfileOptions = {}): readonly Problem[] {
    try {
      readText(body, options);
    } catch (error) {
      if (error instanceof GatewayError) return error.details;
      throw error;
    }
    throw new Error("it was read");
  }
  const problemsOf = (body: Body): readonly Problem[] => problemsOfText(JSON.stringify(body));
  const requestOf = (body: Body, options?: ProfileOptions): AlertRequest =>
    read(body, options).request;
  return { readText, read, requestOf, problemsOf, problemsOfText };
}

/** The exit plan that an order was read with; nothing is in it where there is none. */
export function planIn({ exitPlan = {} }: OrderTerms): ExitPlanTicket {
  if (typeof exitPlan === "string") throw new Error(`the plan ${exitPlan} has a name only`);
  return exitPlan;
}

export const naming = (path: string, contains = "") => ({
  path,
  message: expect.stringContaining(contains) as string,
});

interface Refused {
  readonly refused: readonly { readonly path: string; readonly contains: string }[];
}

/** The examples that are read, and those that are refused. */
export function parted<Example extends { readonly reads: unknown } | Refused>(
  examples: readonly Example[],
) {
  return {
    read: examples.filter((one): one is Extract<Example, { reads: unknown }> => "reads" in one),
    refused: examples.filter((one): one is Extract<Example, Refused> => "refused" in one),
  };
}

/** What no request may hold, whatever its alert said. */
export function faultsOf(request: AlertRequest): readonly string[] {
  const symbol = request.kind === "order" ? request.ticket.symbol : request.symbol;
  const faults = symbol === undefined || symbol.trim() === "" ? ["no symbol"] : [];
  JSON.stringify(request, (name, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) faults.push(`no number: ${name}`);
    return value;
  });
  for (const qty of quantitiesIn(request)) {
    if (!Number.isInteger(qty) || qty <= 0 || qty > 10_000) faults.push(`no quantity: ${qty}`);
  }
  return faults;
}

function quantitiesIn(request: AlertRequest): readonly number[] {
  if (request.kind === "order") return [request.ticket.orderQty];
  if (request.kind !== "adjust") return [];
  const { aim } = request;
  if (aim.to === "position") return aim.netQty === 0 ? [] : [Math.abs(aim.netQty)];
  return "qty" in aim && aim.qty !== undefined ? [aim.qty] : [];
}

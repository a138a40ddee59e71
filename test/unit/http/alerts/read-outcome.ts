import { expect } from "vitest";
import type { AlertRequest, ReadAlert } from "../../../../src/domain/alert.ts";
import type { AlertProfile, SideSwap } from "../../../../src/domain/declared/webhook-options.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";
import type { AlertExample } from "./corpus/alert-example.ts";

export interface ReadOptions {
  readonly profile?: AlertProfile;
  readonly defaultQty?: number;
  readonly riskMoney?: string;
  readonly riskPercent?: string;
  readonly sideSwap?: SideSwap;
  readonly allowedExtraFields?: readonly string[];
}

/** Every problem by its place. */
export type Problems = Readonly<Record<string, string>>;

/** What a body of one alert is read as, or what is wrong with it. */
export function readOutcome(body: string, options: ReadOptions): ReadAlert | Problems {
  try {
    const [alert, ...others] = readAlerts(body, options).alerts;
    if (alert === undefined || others.length > 0) throw new Error("not one alert");
    return alert;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return Object.fromEntries(error.details.map(({ path, message }) => [path, message]));
  }
}

export const wasRead = (outcome: ReadAlert | Problems): outcome is ReadAlert =>
  typeof outcome["request"] === "object";

/** What an example's body comes to, to be held against `expectedOf` the example. */
export function resultOf({ body }: AlertExample, options: ReadOptions): AlertRequest | Problems {
  const outcome = readOutcome(body, options);
  return wasRead(outcome) ? outcome.request : outcome;
}

/** A refusal names exactly the places that the example names. */
export function expectedOf(example: AlertExample): unknown {
  if ("reads" in example) return example.reads;
  const places = example.refused.map(({ path, contains }) => [
    path,
    expect.stringContaining(contains),
  ]);
  return Object.fromEntries(places);
}

/** Why an outcome could not be acted on, or told: empty for every sound one. */
export function faultsOf(outcome: ReadAlert | Problems): readonly string[] {
  if (!wasRead(outcome)) return Object.keys(outcome).length === 0 ? ["refused for no reason"] : [];
  const { request } = outcome;
  const faults = JSON.stringify(request).includes("null") ? ["no number"] : [];
  const symbol = request.kind === "order" ? request.ticket.symbol : request.symbol;
  if (symbol?.trim() === "") faults.push("empty symbol");
  const { qty = 1, netQty = 0, percent = 1 } = numbersOf(request);
  if (!Number.isInteger(qty) || qty <= 0) faults.push(`quantity ${qty}`);
  if (!Number.isInteger(netQty)) faults.push(`target ${netQty}`);
  if (!(percent > 0 && percent <= 100)) faults.push(`percent ${percent}`);
  return faults;
}

interface Numbers {
  readonly qty?: number;
  readonly netQty?: number;
  readonly percent?: number;
}

function numbersOf(request: AlertRequest): Numbers {
  if (request.kind === "order") return { qty: request.ticket.orderQty };
  return request.kind === "adjust" ? request.aim : {};
}

import type { GroupMember } from "../../domain/account-groups/account-group.ts";
import type { Aim, AlertRequest } from "../../domain/alert.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { firstStopOf } from "../../domain/exits/plan-levels.ts";
import type { HandlingTicket, SizeTicket } from "../../domain/order-handling.ts";
import { movedBy } from "../../domain/strategy-move.ts";
import type { BracketTicket } from "../../domain/contracts/tick-reader.ts";
import { type AppliedOptions, applyOptions, onlyReduces } from "../alerts/webhook-options.ts";

/**
 * What is asked of a group, for one of its accounts: after the webhook's options its own symbols and its
 * own quantity. Throws UNKNOWN_SYMBOL or VALIDATION_FAILED.
 */
export function applyMember(
  asked: AppliedOptions,
  { size, symbolMap }: Pick<GroupMember, "size" | "symbolMap">,
  contracts: ContractDirectory,
  nowMs: number,
): AppliedOptions {
  const own = {
    symbolMap,
    ...(size.by === "multiplier" && { multiplier: size.multiplier }),
  };
  const mapped = applyOptions(asked.request, own, contracts, nowMs);
  const sized = sizedBy(size, mapped);
  const { exitsOnly, exitsOnlyCode } = asked.exitsOnly === undefined ? sized : asked;
  return {
    request: sized.request,
    decisions: [...asked.decisions, ...sized.decisions],
    ...(exitsOnly !== undefined && { exitsOnly }),
    ...(exitsOnlyCode !== undefined && { exitsOnlyCode }),
  };
}

function sizedBy(size: GroupMember["size"], applied: AppliedOptions): AppliedOptions {
  switch (size.by) {
    case "multiplier":
      return applied;
    case "fixed":
      return withQty(applied, size.qty, `Its quantity is ${size.qty}, as the group says`);
    case "risk":
      return withRisk(applied, size.size);
  }
}

/**
 * What opens or grows goes with this quantity. A way out by a number of contracts keeps its own: which
 * part of what is held that is, nobody has said.
 */
function withQty(applied: AppliedOptions, qty: number, decision: string): AppliedOptions {
  const { request, decisions } = applied;
  if (termsOf(request) === undefined || onlyReduces(request)) return applied;
  const sized = withSize(withEntryQty(request, qty), undefined);
  return { ...applied, request: sized, decisions: [...decisions, decision] };
}

/** Without a stop-loss nothing can be sized: then only a way out passes. */
function withRisk(applied: AppliedOptions, size: SizeTicket): AppliedOptions {
  const { request, decisions } = applied;
  const terms = termsOf(request);
  if (terms === undefined || onlyReduces(request)) return applied;
  if (!hasStop(terms)) {
    const exitsOnly =
      "The group sizes it by the risk to its stop-loss, and it has none: only exits pass";
    return { ...applied, exitsOnly, exitsOnlyCode: "VALIDATION_FAILED" };
  }
  const sized = withSize(withEntryQty(request, size.min ?? 1), size);
  return {
    ...applied,
    request: sized,
    decisions: [...decisions, `Its size is ${inWords(size)}, as the group says`],
  };
}

const inWords = ({ risk, riskPercent }: SizeTicket): string =>
  risk === undefined ? `${riskPercent} % of the account at risk` : `${risk} at risk`;

type Terms = HandlingTicket & { readonly bracket?: BracketTicket };

function termsOf(request: AlertRequest): Terms | undefined {
  if (request.kind === "order") return request.ticket;
  return request.kind === "adjust" ? request.terms : undefined;
}

/** Of a plan that is named only, whoever looks it up finds out. */
const hasStop = ({ bracket, exitPlan }: Terms): boolean =>
  bracket?.stopLoss !== undefined ||
  typeof exitPlan === "string" ||
  (exitPlan !== undefined && firstStopOf(exitPlan) !== undefined);

/** Undefined takes away what was asked for. */
function withSize(request: AlertRequest, asked: SizeTicket | undefined): AlertRequest {
  const size = asked === undefined ? {} : { size: asked };
  switch (request.kind) {
    case "order": {
      const { size: _, ...ticket } = request.ticket;
      return { ...request, ticket: { ...ticket, ...size } };
    }
    case "adjust": {
      const { size: _, ...terms } = request.terms;
      return { ...request, terms: { ...terms, ...size } };
    }
    case "flatten":
    case "exit":
    case "cancel":
    case "protect":
      return request;
  }
}

function withEntryQty(request: AlertRequest, qty: number): AlertRequest {
  switch (request.kind) {
    case "order":
      return { ...request, ticket: { ...request.ticket, orderQty: qty } };
    case "adjust":
      return { ...request, aim: aimWith(request.aim, qty) };
    case "flatten":
    case "exit":
    case "cancel":
    case "protect":
      return request;
  }
}

function aimWith(aim: Aim, qty: number): Aim {
  switch (aim.to) {
    case "position": {
      const sized = (netQty: number) => (netQty === 0 ? 0 : Math.sign(netQty) * qty);
      const strategy = aim.strategy && movedBy(aim.strategy, sized);
      return { ...aim, netQty: sized(aim.netQty), ...(strategy !== undefined && { strategy }) };
    }
    case "order":
    case "enter":
    case "add":
    case "reverse":
      return { ...aim, qty };
    case "close":
      return aim;
  }
}

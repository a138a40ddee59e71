import type { AlertRequest, OrderTerms } from "../../domain/alert.ts";

type Exits = Pick<OrderTerms, "bracket" | "exitPlan">;

/** The exits that an alert brings along. */
export function exitsIn(request: AlertRequest): Exits {
  if (request.kind === "order") return request.ticket;
  if (request.kind === "adjust") return request.terms;
  if (request.kind !== "protect") return {};
  const { legs: bracket, exitPlan } = request;
  return { bracket, ...(exitPlan !== undefined && { exitPlan }) };
}

/** The exits of what may bring some, in the place of its own. */
export function withExits(request: AlertRequest, exits: Exits): AlertRequest {
  switch (request.kind) {
    case "order":
      return { ...request, ticket: { ...request.ticket, ...exits } };
    case "adjust":
      return { ...request, terms: { ...request.terms, ...exits } };
    case "protect": {
      const { bracket: legs = {}, exitPlan } = exits;
      return { ...request, legs, ...(exitPlan !== undefined && { exitPlan }) };
    }
    case "flatten":
    case "exit":
    case "cancel":
      return request;
  }
}

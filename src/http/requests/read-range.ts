import { errors, type Problem } from "../../errors.ts";
import { readInstant } from "./read-instant.ts";

interface InstantRange {
  /** Unix ms; included. */
  readonly fromAt?: number;
  /** Unix ms; not included. */
  readonly beforeAt?: number;
}

/** Two instants of a query as callers write them; names everything that is wrong with them at once. */
export function readRange(query: {
  readonly from: string | undefined;
  readonly to: string | undefined;
}): InstantRange {
  const problems: Problem[] = [];
  const fromAt = readGiven("from", query.from, problems);
  const beforeAt = readGiven("to", query.to, problems);
  if (fromAt !== undefined && beforeAt !== undefined && fromAt > beforeAt) {
    problems.push({ path: "to", message: "must not be before from" });
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  return { ...(fromAt !== undefined && { fromAt }), ...(beforeAt !== undefined && { beforeAt }) };
}

function readGiven(
  path: string,
  text: string | undefined,
  problems: Problem[],
): number | undefined {
  return text === undefined ? undefined : readInstant(path, text, problems);
}

import { errors } from "../../errors.ts";
import type { StrategyUses } from "./strategy-uses.ts";
import { readCursor, writeCursor } from "../reads/page-cursor.ts";
import { findStrategy } from "./find-strategy.ts";
import type { EvaluationLog, EvaluationPosition, LoggedEvaluation, Strategies } from "./ports.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface ReadEvaluationsDeps {
  readonly strategies: Pick<Strategies, "find">;
  readonly log: Pick<EvaluationLog, "list">;
  readonly intents: Pick<IntentStore, "find">;
}

/** What became of a strategy's evaluations. */
export function createReadEvaluations(deps: ReadEvaluationsDeps): StrategyUses["listEvaluations"] {
  const { strategies, log, intents } = deps;

  return async function listEvaluations(caller, id, { limit, cursor, notable }) {
    await findStrategy(strategies, caller, id);
    const filters = [id, notable === true ? "notable" : undefined];
    const after = cursor === undefined ? undefined : requirePlace(readCursor(cursor, filters));
    const { items, next } = await log.list(id, {
      limit,
      ...(after !== undefined && { after }),
      ...(notable === true && { matches: isNotable }),
    });
    return {
      items: await Promise.all(items.map(withOutcome)),
      ...(next !== undefined && { nextCursor: writeCursor(next, filters) }),
    };
  };

  /** Where its intent ended after the evaluation had, or has not ended yet. */
  async function withOutcome(evaluation: LoggedEvaluation): Promise<LoggedEvaluation> {
    const { sends, outcome, accountId, evaluationId } = evaluation;
    if (sends !== true || (outcome !== undefined && outcome.kind !== "unknown")) return evaluation;
    const record = await intents.find(accountId, evaluationId);
    return record?.outcome === undefined ? evaluation : { ...evaluation, outcome: record.outcome };
  }
}

/** The ids of a log's places are times with a number. */
function requirePlace(place: EvaluationPosition): EvaluationPosition {
  if (/^[1-9]\d{0,15}-\d{1,16}$/.test(place.id)) return place;
  throw errors.validationFailed([{ path: "cursor", message: "is no nextCursor of this list" }]);
}

/** Whatever is not "nothing is to change". */
export function isNotable({ verdict }: Pick<LoggedEvaluation, "verdict">): boolean {
  return verdict !== "hold";
}

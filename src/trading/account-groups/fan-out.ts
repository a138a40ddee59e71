import { GatewayError } from "../../errors.ts";

/** What one account of a group is asked for, in steps. */
export interface Target<Prepared, Answer> {
  /** Everything that is decided before the lane. Changes nothing. */
  readonly prepare: () => Promise<Prepared>;
  /** What became there of the same request, sent before; undefined where nothing stands for it. */
  readonly repeatEarlier: () => Promise<Answer | undefined>;
  readonly carryOut: (prepared: Prepared) => Promise<Answer>;
}

/** What became of it there; a failure is that account's alone. */
export type Carried<Answer> = { readonly answer: Answer } | { readonly failure: unknown };

/**
 * Asks all accounts of a group side by side, in their order. What is wrong with the request, for any of
 * them, is thrown before anything is sent to one, unless a part of it was carried out before: then each
 * answers for itself. What one account refuses on its own behalf holds no other one back. Nothing is ever
 * taken back.
 *
 * A way out holds for each account alone, and waits for none: what cannot be understood in one account
 * never keeps another one from leaving. It is thrown only where it is wrong for all.
 */
export async function fanOut<Prepared, Answer>(
  targets: readonly Target<Prepared, Answer>[],
  { isExit }: { readonly isExit: boolean },
): Promise<readonly Carried<Answer>[]> {
  return isExit ? await eachAlone(targets) : await allOrNone(targets);
}

async function allOrNone<Prepared, Answer>(
  targets: readonly Target<Prepared, Answer>[],
): Promise<readonly Carried<Answer>[]> {
  const asked = await Promise.all(
    targets.map(async (target) => ({ target, prepared: await tried(target.prepare) })),
  );
  const mistake = asked.map(({ prepared }) => prepared).find(isMistake);
  if (mistake === undefined) return await Promise.all(asked.map(carry));

  const earlier = await Promise.all(asked.map(async ({ target }) => await lookBack(target)));
  if (earlier.every((one) => one === undefined)) throw mistake.failure;
  return asked.map(({ prepared }, n) => earlier[n] ?? ("failure" in prepared ? prepared : mistake));
}

async function eachAlone<Prepared, Answer>(
  targets: readonly Target<Prepared, Answer>[],
): Promise<readonly Carried<Answer>[]> {
  const asked = await Promise.all(
    targets.map(async (target) => {
      const prepared = await tried(target.prepare);
      return { prepared, carried: await carry({ target, prepared }) };
    }),
  );
  const [first] = asked;
  const isWrongForAll = asked.every(
    ({ prepared, carried }) => isMistake(prepared) && carried === prepared,
  );
  if (isWrongForAll && first !== undefined && isMistake(first.prepared)) {
    throw first.prepared.failure;
  }
  return asked.map(({ carried }) => carried);
}

interface Asked<Prepared, Answer> {
  readonly target: Target<Prepared, Answer>;
  readonly prepared: Tried<Prepared>;
}

type Failed = { readonly failure: unknown };
type Tried<Value> = { readonly answer: Value } | Failed;

/** What is refused now may repeat what was carried out: then that one's answer stands. */
async function carry<Prepared, Answer>({
  target,
  prepared,
}: Asked<Prepared, Answer>): Promise<Carried<Answer>> {
  if ("failure" in prepared) return (await lookBack(target)) ?? prepared;
  return await tried(async () => await target.carryOut(prepared.answer));
}

/** Undefined where certainly nothing was carried out before. */
async function lookBack<Prepared, Answer>({
  repeatEarlier,
}: Target<Prepared, Answer>): Promise<Carried<Answer> | undefined> {
  const looked = await tried(repeatEarlier);
  // Told so of its own: what is wrong with the request is no answer of an earlier one.
  if ("failure" in looked) return isMistake(looked) ? undefined : looked;
  return looked.answer === undefined ? undefined : { answer: looked.answer };
}

async function tried<Value>(step: () => Promise<Value>): Promise<Tried<Value>> {
  try {
    return { answer: await step() };
  } catch (failure) {
    return { failure };
  }
}

/** Whether it lies in what was asked for, not in how one account, its broker or the store stands. */
function isMistake(prepared: Tried<unknown>): prepared is Failed {
  if (!("failure" in prepared)) return false;
  const { failure } = prepared;
  if (!(failure instanceof GatewayError)) return true;
  return failure.spec.status < 500 && failure.spec.code !== "ACCOUNT_INACTIVE";
}

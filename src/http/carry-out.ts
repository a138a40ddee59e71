import { isPerson } from "../trading/people/people.ts";
import type { Answer } from "./answer.ts";
import { answerFailures } from "./answer-failures.ts";
import type { ChangeMaker, HttpObserver } from "./observer.ts";
import { type Handled, OWN_RECORD } from "./route.ts";
import type { Caller } from "../trading/people/caller.ts";

/** Does what a route is there for, and reports the change that it made. */
export async function carryOut<Input>(
  route: Handled<Input>,
  input: Input,
  { caller, observer }: { readonly caller: Caller; readonly observer: HttpObserver },
): Promise<Answer> {
  if (route.effect === "read" || route.audit === OWN_RECORD) {
    return await answerFailures(route.effect, () => route.handle(input));
  }
  const answer = await answerFailures(route.effect, () => route.handle(input));
  observer.changeMade(route.audit, changeMaker(caller), answer.changed);
  return answer;
}

function changeMaker(caller: Caller): ChangeMaker {
  const { userId, credentialId, requestId } = caller;
  const address = isPerson(caller) ? { address: caller.visit.address } : {};
  return { userId, credentialId, requestId, ...address };
}

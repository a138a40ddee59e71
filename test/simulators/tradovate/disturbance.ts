import { type Answer, CUT, failure, ok, type Outcome, refused, SILENCE } from "./answer.ts";
import type { Fault } from "./faults.ts";

/** What a fault makes of a request: its outcome, and how much later than it was due. */
export interface Disturbed {
  readonly outcome: Outcome;
  readonly delayMs: number;
}

export interface DisturbedRequest {
  readonly carryOut: () => Answer;
  readonly issueTicket: (seconds: number, captcha: boolean | undefined) => Answer;
  /** Cuts the link that the request came by; with `isAll`, all sockets of its user too. */
  readonly cut: (isAll: boolean) => void;
}

/** Answers a request as its fault says, and carries it out or not. */
export function disturb(fault: Fault, request: DisturbedRequest): Disturbed {
  const { carryOut, issueTicket, cut } = request;
  const now = (outcome: Outcome): Disturbed => ({ outcome, delayMs: 0 });
  const instead = (answer: Answer, isCarriedOut = false): Disturbed =>
    now(isCarriedOut ? { ...answer, ...eventsOf(carryOut()) } : answer);
  switch (fault.kind) {
    case "drop":
      // Cut first, so that not even an event tells what became of it.
      cut(fault.cutsSockets === true);
      if (fault.isCarriedOut) carryOut().afterwards?.();
      return now(CUT);
    case "silence":
      if (fault.isCarriedOut) carryOut().afterwards?.();
      return now(SILENCE);
    case "delay":
      return { outcome: carryOut(), delayMs: fault.ms };
    case "empty":
      return instead(ok({}), fault.isCarriedOut);
    case "successWithoutId":
      return instead(ok({ failureReason: "Success" }), fault.isCarriedOut);
    case "status":
      return instead(refused(fault.status, fault.body ?? ""), fault.isCarriedOut);
    case "failure":
      return instead(failure(fault.failureReason, fault.failureText ?? fault.failureReason));
    case "errorText":
      return instead(ok({ errorText: fault.errorText }));
    case "violations": {
      const { constraint, value = null, description = constraint } = fault;
      return instead(ok({ violations: [{ constraint, value, description }] }));
    }
    case "ticket": {
      const { status = 200 } = fault;
      return now({ ...issueTicket(fault.seconds, fault.captcha), status });
    }
    case "omits": {
      const answer = carryOut();
      const isLeft = ({ id }: { readonly id?: number }) => !fault.ids.includes(id ?? 0);
      const body: unknown = Array.isArray(answer.body) ? answer.body.filter(isLeft) : answer.body;
      return now({ ...answer, body });
    }
    case "riskReject":
    case "legMissing":
    case "tooLate":
      // These happen inside the command.
      return now(carryOut());
  }
}

/** The events of what was carried out are sent, though its answer is not. */
function eventsOf({ afterwards }: Answer): Pick<Answer, "afterwards"> {
  return afterwards === undefined ? {} : { afterwards };
}

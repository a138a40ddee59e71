import { presentEvent } from "../../domain/notify/event-body.ts";
import type {
  DestinationState,
  DestinationView,
  TestResult,
  Undelivered,
} from "../../trading/notify/destination-uses.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";

export function presentDestination(view: DestinationView) {
  const { id, kind, name, settings, rules, disabled } = view;
  return {
    id,
    kind,
    name,
    settings,
    rules,
    quietHours: view.quietHours ?? null,
    summary: view.summary ?? null,
    inOrder: view.inOrder === true,
    answers: view.answers === true,
    linked: view.isLinked ?? null,
    createdAt: presentTime(view.createdAt),
    disabled: disabled === undefined ? null : { ...disabled, at: presentTime(disabled.at) },
    state: presentState(view.state),
  };
}

function presentState(state: DestinationState) {
  const { waiting, undelivered, failures, failure } = state;
  return {
    waiting,
    undelivered,
    deliveredAt: presentTimeOrNull(state.deliveredAt),
    failures,
    failure:
      failure === undefined
        ? null
        : {
            at: presentTime(failure.at),
            reason: failure.reason,
            status: failure.status ?? null,
          },
    pausedUntil: presentTimeOrNull(state.pausedUntil),
  };
}

export function presentTest({ isDelivered, status, reason, ms }: TestResult) {
  return { delivered: isDelivered, status: status ?? null, reason: reason ?? null, ms };
}

export function presentUndelivered({ event, attempts, reason, status, givenUpAt }: Undelivered) {
  return {
    event: presentEvent(event),
    attempts,
    reason,
    status: status ?? null,
    givenUpAt: presentTime(givenUpAt),
  };
}

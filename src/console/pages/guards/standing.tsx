import { useState } from "preact/hooks";
import { Mark } from "../../parts/mark.tsx";
import { Pair, Sheet } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import { EndLock } from "./end-lock.tsx";
import { figureText } from "./figures.ts";
import { LockNow } from "./lock-now.tsx";
import { closedNow } from "./schedule-now.ts";
import {
  BLIND_WORDS,
  FORBIDS_WORDS,
  LOCK_WORDS,
  nameOf,
  nameOfId,
  secondsText,
} from "./rule-words.ts";
import type { Guards, Lock, OfAccount } from "./types.ts";
import { UntilInZone } from "./until.tsx";

/** Whether entries pass into the account now, and why not; and the way to stop them. */
export function Standing(of: OfAccount) {
  const { blind, entriesRefused, lock, rules, settings } = of.guards;
  const closed = closedNow(rules, useNow());
  const [asked, setAsked] = useState<"lock" | "unlock">();
  const onClose = () => setAsked(undefined);
  const isOpen = lock === null && blind === null && entriesRefused === null && closed.length === 0;
  return (
    <Sheet title="Now" end={<State guards={of.guards} isClosed={closed.length > 0} />}>
      <div class="body">
        {lock !== null && <Locked lock={lock} guards={of.guards} />}
        {blind !== null && (
          <div class="notice watch">
            <strong>
              Figures are missing since <Time at={blind.since} />: entries are refused
            </strong>
            <p>{blind.reason}</p>
            <p>
              After {secondsText(of.guards.settings.whenBlind.afterSeconds)}:{" "}
              {BLIND_WORDS[of.guards.settings.whenBlind.then]}.
            </p>
          </div>
        )}
        {entriesRefused !== null && lock === null && (
          <div class="notice watch">
            <strong>Entries are refused. Exits pass.</strong>
            <p>{entriesRefused}</p>
          </div>
        )}
        {closed.length > 0 && (
          <div class="notice watch">
            <strong>By the clock, now:</strong>
            {closed.map(({ restriction: { forbids, reason, until }, rule }) => (
              <p key={rule.id}>
                {nameOf(rule, settings.currency)}: {FORBIDS_WORDS[forbids]}
                {until !== null && (
                  <>
                    {" "}
                    until <UntilInZone at={until} />
                  </>
                )}
                . <span class="quiet">{reason}</span>
              </p>
            ))}
          </div>
        )}
        {isOpen && <p>No guard refuses entries now.</p>}
        <dl class="pairs">
          <Pair name="Next trading day">
            <UntilInZone at={of.guards.dayEndsAt} />
          </Pair>
          {of.guards.judgedAt !== null && (
            <Pair name="Last look">
              <Time at={of.guards.judgedAt} />
            </Pair>
          )}
        </dl>
        <div class="actions">
          <button type="button" class="danger" onClick={() => setAsked("lock")}>
            Lock now …
          </button>
          {lock?.lock === "soft" && (
            <button type="button" onClick={() => setAsked("unlock")}>
              End the lock …
            </button>
          )}
        </div>
      </div>
      {asked === "lock" && <LockNow {...of} onClose={onClose} />}
      {asked === "unlock" && lock !== null && <EndLock {...of} lock={lock} onClose={onClose} />}
    </Sheet>
  );
}

function State({
  guards: { entriesRefused, lock },
  isClosed,
}: {
  guards: Guards;
  isClosed: boolean;
}) {
  return (
    <span role="status">
      {lock !== null ? (
        <Mark tone="bad">Locked</Mark>
      ) : entriesRefused !== null || isClosed ? (
        <Mark tone="watch">Entries refused</Mark>
      ) : (
        <Mark tone="good">Entries pass</Mark>
      )}
    </span>
  );
}

function Locked({ lock, guards: { rules, settings } }: { lock: Lock; guards: Guards }) {
  const { at, figures, reason, ruleId, then, until } = lock;
  const { currency } = settings;
  const own = rules.map(({ rule }) => rule);
  const textOf = (value: number) => figureText(value, figures?.unit ?? "none", currency);
  return (
    <div class="notice bad">
      <strong>The account is locked: only exits pass</strong>
      <p>{reason}</p>
      <dl class="pairs">
        <Pair name="Ends">
          {until === null ? "when a person ends it" : <UntilInZone at={until} />}
        </Pair>
        <Pair name="By">
          {ruleId === null
            ? "no rule: a person, a program or missing figures"
            : nameOfId(ruleId, own, currency)}
        </Pair>
        <Pair name="Since">
          <Time at={at} />
        </Pair>
        {figures !== null && figures.figure !== null && (
          <Pair name="Then it was">
            {textOf(figures.figure)}
            {figures.limit !== null && ` of ${textOf(figures.limit)}`}, by the {figures.source}
          </Pair>
        )}
        <Pair name="Positions">
          {then === "flatten" ? "everything is closed and cancelled" : "stay as they are"}
        </Pair>
        <Pair name="Strictness">{LOCK_WORDS[lock.lock]}</Pair>
      </dl>
      <p>Nothing that the account wins ends it.</p>
    </div>
  );
}

import { useState } from "preact/hooks";
import { NotTold } from "../../parts/age.tsx";
import { ageText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { ageOf } from "../../parts/money.ts";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import { figureText } from "./figures.ts";
import { LevelMark, RoomBar } from "./room-bar.tsx";
import { RemoveRule } from "./remove-rule.tsx";
import { EditRule } from "./rule-form.tsx";
import { isSchedule, restrictionNow } from "./schedule-now.ts";
import { detailsOf, FORBIDS_WORDS, nameOf } from "./rule-words.ts";
import type { GuardState, OfAccount, Restriction, Rule } from "./types.ts";
import { Until } from "./until.tsx";

interface Row {
  readonly state: GuardState;
  readonly name: string;
  readonly currency: string;
  /** How long ago its figure was heard, ms; undefined where it was not judged. */
  readonly age: number | undefined;
  readonly now: number;
  /** Whether anybody has looked at these settings yet. */
  readonly isJudged: boolean;
  readonly onAsk: (asked: Asked) => void;
}

interface Asked {
  readonly what: "edit" | "remove";
  readonly rule: Rule;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "Rule", look: "rule", cell: (row) => <RuleName {...row} /> },
  { head: "State", look: "state", cell: (row) => <Standing {...row} /> },
  { head: { figure: "Figure" }, cell: (row) => <Figure {...row} /> },
  { head: { figure: "Room" }, cell: (row) => <Room {...row} /> },
  { head: "Resets", cell: (row) => <Resets {...row} /> },
  { head: "Source", cell: (row) => <Source {...row} /> },
  { head: ACTS, cell: (row) => <Acts {...row} /> },
];

/** Every rule in a line: how near it is, by which figure, and since when. */
export function RuleTable({ answeredAt, ...of }: OfAccount & { answeredAt: number }) {
  const { guards } = of;
  const { asOf, judgedAt, rules, settings } = guards;
  const { currency } = settings;
  const now = useNow();
  const [asked, setAsked] = useState<Asked>();
  const onClose = () => setAsked(undefined);
  const rows = rules.map((state): Row => {
    const heardAt = state.verdict?.asOf;
    return {
      state,
      name: nameOf(state.rule, currency),
      currency,
      age: heardAt === undefined ? undefined : ageOf(heardAt, { asOf, answeredAt }, now),
      now,
      isJudged: judgedAt !== null,
      onAsk: setAsked,
    };
  });
  return (
    <div class="guards dense">
      <CardTable rows={rows} keyOf={({ state }) => state.rule.id} columns={COLUMNS} />
      {asked?.what === "edit" && <EditRule {...of} rule={asked.rule} onClose={onClose} />}
      {asked?.what === "remove" && <RemoveRule {...of} rule={asked.rule} onClose={onClose} />}
    </div>
  );
}

const isOver = ({ until }: Restriction, now: number): boolean =>
  until !== null && Date.parse(until) <= now;

function RuleName({ currency, name, now, state }: Row) {
  const { rule, upcoming } = state;
  const { lock, mode } = rule;
  const details = detailsOf(rule, currency);
  return (
    <div class="noted">
      <span class="row">
        {name}
        {mode === "shadow" && <Mark tone="quiet">Shadow: only tells</Mark>}
        {lock === "hard" && <Mark tone="quiet">Hard</Mark>}
      </span>
      {details.length > 0 && <div class="quiet note">{details.join("; ")}</div>}
      {upcoming !== null && !isOver(upcoming, now) && (
        <Upcoming restriction={upcoming} isNow={restrictionNow(state, now) !== undefined} />
      )}
    </div>
  );
}

function Upcoming({ restriction, isNow }: { restriction: Restriction; isNow: boolean }) {
  const { forbids, from, reason, until } = restriction;
  return (
    <div class="note">
      {isNow ? (
        <>
          <strong>Now {FORBIDS_WORDS[forbids]}</strong>
          {until !== null && (
            <>
              {" "}
              until <Until at={until} />
            </>
          )}
        </>
      ) : (
        <>
          Next: {FORBIDS_WORDS[forbids]} from <Until at={from} />
          {until !== null && (
            <>
              {" "}
              to <Time at={until} />
            </>
          )}
        </>
      )}
      <span class="quiet"> · {reason}</span>
    </div>
  );
}

function Standing(row: Row) {
  const { name, state } = row;
  const { verdict } = state;
  if (verdict === null) return <WithoutFigure {...row} />;
  return (
    <div class="stack">
      <LevelMark verdict={verdict} />
      <RoomBar name={name} verdict={verdict} />
      {verdict.level !== "ok" && <span class="quiet note">{verdict.reason}</span>}
    </div>
  );
}

/** A rule that goes by the clock, or is asked at each order. */
function WithoutFigure({ isJudged, now, state }: Row) {
  if (!isJudged) return <Mark tone="watch">Not judged yet</Mark>;
  if (!isSchedule(state.rule)) return <Mark tone="quiet">At each order</Mark>;
  const restriction = restrictionNow(state, now);
  if (restriction === undefined) return <Mark tone="good">Not now</Mark>;
  const tone = state.rule.mode === "shadow" ? "quiet" : "bad";
  return <Mark tone={tone}>Now {restriction.forbids === "positions" ? "flat" : "no entries"}</Mark>;
}

/** Losses and wins have a sign; what there is of lots, trades or a balance has none. */
const isResult = ({ kind }: Rule): boolean => kind === "loss" || kind === "profit";

function Figure({ currency, state: { rule, verdict } }: Row) {
  if (verdict === null || verdict.unit === "none") return <NotTold why="It has no figure" />;
  const { figure, limit, unit } = verdict;
  const textOf = (value: number) => figureText(value, unit, currency, isResult(rule));
  return (
    <div class="noted">
      {figure === null ? <NotTold why="Its figure is not known" /> : textOf(figure)}
      {limit !== null && <div class="quiet note">of {textOf(limit)}</div>}
    </div>
  );
}

function Room({ currency, state: { verdict } }: Row) {
  if (verdict === null || verdict.room === null) return <NotTold why="Its room is not known" />;
  return <>{figureText(verdict.room, verdict.unit, currency)}</>;
}

function Resets({ state: { verdict } }: Row) {
  if (verdict === null || verdict.resetsAt === null) {
    return <NotTold why="It never starts anew by itself" />;
  }
  return <Until at={verdict.resetsAt} />;
}

function Source({ age, state: { verdict } }: Row) {
  if (verdict === null || age === undefined) return <NotTold why="It has no figure" />;
  return (
    <div class="noted">
      {verdict.source === "broker" ? "Broker" : "Gateway"}
      <div class="quiet note">{ageText(age)} old</div>
    </div>
  );
}

function Acts({ name, onAsk, state: { rule } }: Row) {
  return (
    <div class="actions">
      <button type="button" class="small" onClick={() => onAsk({ what: "edit", rule })}>
        Edit …<span class="unseen"> {name}</span>
      </button>
      <button type="button" class="small danger" onClick={() => onAsk({ what: "remove", rule })}>
        Remove …<span class="unseen"> {name}</span>
      </button>
    </div>
  );
}

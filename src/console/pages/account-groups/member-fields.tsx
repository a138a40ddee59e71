import { AccountField } from "../../parts/account-of.tsx";
import { problemsIn } from "../../parts/field.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import type { components } from "../../api/schema.ts";
import type { Typing } from "../../parts/form.tsx";
import {
  type GroupTyped,
  type MemberTyped,
  moved,
  newMember,
  type SizedBy,
} from "./group-typed.ts";

type Account = components["schemas"]["Account"];

/** The accounts of a group, in the order in which they are asked. */
export function MemberFields({
  typed: { members },
  onType,
  error,
  accounts,
}: Typing<GroupTyped> & { accounts: readonly Account[] }) {
  const set = (next: readonly MemberTyped[]) => onType({ members: next });
  const change = (place: number, part: Partial<MemberTyped>) =>
    set(members.map((one, nth) => (nth === place ? { ...one, ...part } : one)));
  const free = accounts.filter(({ id }) => !members.some(({ accountId }) => accountId === id));
  const [next] = free;
  const wrong = problemsIn(error).find(({ path }) => path === "members");
  return (
    <fieldset class="rule">
      <legend>Accounts, in the order in which they are asked</legend>
      <p class="quiet">None waits for another one: the order is that of sending, not of filling.</p>
      {wrong !== undefined && <p class="wrong">{wrong.message}</p>}
      {members.map((member, place) => (
        <MemberRow
          key={member.accountId}
          member={member}
          place={place}
          count={members.length}
          choices={accounts.filter(
            ({ id }) => id === member.accountId || free.some((one) => one.id === id),
          )}
          error={error}
          onChange={(part) => change(place, part)}
          onMove={(by) => set(moved(members, place, by))}
          onRemove={() => set(members.filter((_, nth) => nth !== place))}
        />
      ))}
      {next === undefined ? (
        <p class="quiet">Every account is in it.</p>
      ) : (
        <div class="actions">
          <button type="button" class="small" onClick={() => set([...members, newMember(next.id)])}>
            Add an account
          </button>
        </div>
      )}
    </fieldset>
  );
}

interface RowProps {
  member: MemberTyped;
  place: number;
  count: number;
  choices: readonly Account[];
  error: Error | undefined;
  onChange: (part: Partial<MemberTyped>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function MemberRow(props: RowProps) {
  const { member, place, choices, error, onChange } = props;
  const path = `members.${place}`;
  const name = choices.find(({ id }) => id === member.accountId)?.name ?? member.accountId;
  return (
    <div class="member" role="group" aria-label={name}>
      <div class="columns">
        <AccountField
          label="Account"
          name={`${path}.accountId`}
          value={member.accountId}
          onValue={(accountId) => onChange({ accountId })}
          error={error}
          accounts={choices}
        />
        <SizeFields path={path} member={member} error={error} onChange={onChange} />
        <TextField
          label="Symbol map"
          name={`${path}.symbolMap`}
          value={member.symbolMap}
          onValue={(symbolMap) => onChange({ symbolMap })}
          error={error}
          placeholder="NQ=MNQ, ES=MES"
          hint="What is traded here instead, in the same month. Empty: the same symbol."
        />
      </div>
      <Choice isChosen={member.enabled} onChoose={(enabled) => onChange({ enabled })}>
        On: it gets what is asked of the group
      </Choice>
      {!member.enabled && (
        <p class="notice watch">
          While it is off nothing of the group goes to it, <strong>exits neither</strong>: what it
          holds stays.
        </p>
      )}
      <RowButtons {...props} name={name} />
    </div>
  );
}

function RowButtons({
  name,
  place,
  count,
  onMove,
  onRemove,
}: Pick<RowProps, "place" | "count" | "onMove" | "onRemove"> & { name: string }) {
  return (
    <div class="actions end">
      <button type="button" class="small" disabled={place === 0} onClick={() => onMove(-1)}>
        <span aria-hidden="true">↑ </span>Up<span class="unseen"> {name}</span>
      </button>
      <button type="button" class="small" disabled={place === count - 1} onClick={() => onMove(1)}>
        <span aria-hidden="true">↓ </span>Down<span class="unseen"> {name}</span>
      </button>
      <button type="button" class="small" onClick={onRemove}>
        Remove<span class="unseen"> {name}</span>
      </button>
    </div>
  );
}

const SIZES: readonly (readonly [SizedBy, string])[] = [
  ["multiplier", "A multiple of what is asked"],
  ["fixedQty", "Always the same"],
  ["risk", "By money at risk"],
  ["riskPercent", "By percent of the account at risk"],
];

const AMOUNTS = {
  multiplier: ["Multiplier", "Rounded down; less than one contract opens nothing."],
  fixedQty: ["Contracts", "For whatever opens or grows a position."],
  risk: ["At risk, in the contract's currency", "At the stop-loss; without one only exits pass."],
  riskPercent: ["Percent at risk", "At the stop-loss; without one only exits pass."],
} as const satisfies Readonly<Record<SizedBy, readonly [string, string]>>;

function SizeFields({
  path,
  member: { sizedBy, text, min },
  error,
  onChange,
}: Pick<RowProps, "member" | "error" | "onChange"> & { path: string }) {
  const [label, hint] = AMOUNTS[sizedBy];
  const isRisk = sizedBy === "risk" || sizedBy === "riskPercent";
  return (
    <>
      <SelectField
        label="Size"
        name={`${path}.sizedBy`}
        value={sizedBy}
        options={SIZES}
        onValue={(next) => onChange({ sizedBy: next, text: next === "multiplier" ? "1" : "" })}
      />
      <TextField
        label={label}
        name={isRisk ? `${path}.size` : `${path}.${sizedBy}`}
        type={sizedBy === "fixedQty" ? "number" : "decimal"}
        value={text}
        onValue={(next) => onChange({ text: next })}
        error={error}
        hint={hint}
        required
      />
      {isRisk && (
        <TextField
          label="At least, contracts"
          name={`${path}.size.min`}
          type="number"
          value={min}
          onValue={(next) => onChange({ min: next })}
          hint="Sent even if one contract risks more. Empty: then nothing is sent."
        />
      )}
    </>
  );
}

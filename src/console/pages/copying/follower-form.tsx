import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf, choicesOf } from "../../parts/account-of.tsx";
import { FormEnd, useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { StartsAnew } from "./consequences.tsx";
import {
  changeOf,
  type FollowerTyped,
  newFollower,
  putOf,
  typedFollower,
} from "./follower-terms.ts";
import {
  type Account,
  type CopyGroup,
  type FollowerProps,
  mayFollow,
  type World,
} from "./world.ts";

/** Lets one more account follow, out of those that may. */
export function AddFollower({
  group,
  world,
  refresh,
  onClose,
}: {
  group: CopyGroup;
  world: World;
  refresh: () => void;
  onClose: () => void;
}) {
  const free = mayFollow(world);
  const first = free.find(({ active }) => active) ?? free[0];
  if (first === undefined) return <NobodyLeft onClose={onClose} />;
  const add = async (typed: FollowerTyped) => {
    const params = { path: { groupId: group.id, accountId: typed.accountId } };
    const body = putOf(typed);
    await answerOf(api.PUT("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }));
    refresh();
    onClose();
  };
  return (
    <FollowerForm
      title="Add a follower"
      verb="Add it"
      group={group}
      start={newFollower(first.id)}
      head={(fields) => <AccountField accounts={free} {...fields} />}
      onSave={add}
      onClose={onClose}
    />
  );
}

function AccountField({
  accounts,
  typed,
  onType,
  error,
}: FollowerFieldsProps & { accounts: readonly Account[] }) {
  const account = accounts.find(({ id }) => id === typed.accountId);
  return (
    <SelectField
      label="Account"
      name="accountId"
      value={typed.accountId}
      options={choicesOf(accounts)}
      onValue={(accountId) => onType({ accountId })}
      hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
      error={error}
    />
  );
}

function NobodyLeft({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Add a follower" onClose={onClose}>
      <p>Every account leads or follows already. One that leads follows nobody.</p>
      <div class="actions end">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** Changes how an account follows. */
export function EditFollower({
  group,
  follower,
  accounts,
  refresh,
  onClose,
}: FollowerProps & { onClose: () => void }) {
  const { accountId } = follower;
  const save = async (typed: FollowerTyped) => {
    const params = { path: { groupId: group.id, accountId } };
    const body = changeOf(typed, follower);
    if (Object.keys(body).length > 0) {
      await answerOf(
        api.PATCH("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }),
      );
    }
    refresh();
    onClose();
  };
  return (
    <FollowerForm
      title="Edit the follower"
      verb="Save"
      group={group}
      start={typedFollower(follower)}
      head={() => (
        <p class="row">
          <strong class="row">
            <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
          </strong>
        </p>
      )}
      onSave={save}
      onClose={onClose}
    />
  );
}

interface FollowerFieldsProps {
  typed: FollowerTyped;
  onType: (change: Partial<FollowerTyped>) => void;
  error: Error | undefined;
}

/** Asks how an account follows; `head` says or asks which account it is. */
function FollowerForm({
  title,
  verb,
  group,
  start,
  head,
  onSave,
  onClose,
}: {
  title: string;
  /** What the button says that saves. */
  verb: string;
  group: CopyGroup;
  start: FollowerTyped;
  head: (fields: FollowerFieldsProps) => ComponentChildren;
  /** Resolves once it is stored, which closes the form. */
  onSave: (typed: FollowerTyped) => Promise<void>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(start);
  const action = useAction();
  const { error } = action;
  const onType = (change: Partial<FollowerTyped>) => setTyped({ ...typed, ...change });
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(() => onSave(typed));
  };
  const fields = { typed, onType, error };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {head(fields)}
        <SizeFields {...fields} />
        {group.mode === "fills" && (
          <Choice isChosen={typed.invert} onChoose={(invert) => onType({ invert })}>
            Inverted: short where the leader is long
          </Choice>
        )}
        <SymbolFields {...fields} />
        <div class="notice">
          <StartsAnew group={group} />
        </div>
        <FormEnd action={action} verb={verb} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

const SIZES = [
  ["multiplier", "A multiple of the leader's"],
  ["fixedQty", "Always the same"],
] as const;

const ROUNDINGS = [
  ["down", "Down"],
  ["nearest", "To the nearest"],
  ["up", "Up"],
] as const;

function SizeFields({ typed, onType, error }: FollowerFieldsProps) {
  return (
    <div class="columns">
      <SelectField
        label="Size"
        name="size"
        value={typed.sizedBy}
        options={SIZES}
        onValue={(sizedBy) => onType({ sizedBy })}
      />
      {typed.sizedBy === "fixedQty" ? (
        <TextField
          label="Contracts"
          name="fixedQty"
          type="number"
          value={typed.fixedQty}
          onValue={(fixedQty) => onType({ fixedQty })}
          hint="This many contracts whenever the leader has a position, on the leader's side."
          error={error}
        />
      ) : (
        <>
          <TextField
            label="Multiplier"
            name="multiplier"
            type="decimal"
            value={typed.multiplier}
            onValue={(multiplier) => onType({ multiplier })}
            hint="Contracts per contract of the leader, such as 0.5."
            error={error}
          />
          <SelectField
            label="Rounding"
            name="rounding"
            value={typed.rounding}
            options={ROUNDINGS}
            onValue={(rounding) => onType({ rounding })}
            hint="Applied to the leader's whole position times the multiplier."
            error={error}
          />
        </>
      )}
      <TextField
        label="At most"
        name="maxQty"
        type="number"
        value={typed.maxQty}
        onValue={(maxQty) => onType({ maxQty })}
        hint="Most contracts in one position. Empty: no cap."
        error={error}
      />
    </div>
  );
}

function SymbolFields({ typed, onType, error }: FollowerFieldsProps) {
  const isSet = typed.symbolMap !== "" || typed.allowedSymbols !== "";
  const [isOpen] = useState(isSet);
  return (
    <details {...((isOpen || error !== undefined) && { open: true })}>
      <summary>Symbols</summary>
      <div class="columns">
        <TextField
          label="Symbol map"
          name="symbolMap"
          value={typed.symbolMap}
          onValue={(symbolMap) => onType({ symbolMap })}
          placeholder="NQ=MNQ, ES=MES"
          hint="With NQ=MNQ the leader's NQ is copied as MNQ, in the same month. Empty: the leader's symbol."
          error={error}
        />
        <TextField
          label="Only these symbols"
          name="allowedSymbols"
          value={typed.allowedSymbols}
          onValue={(allowedSymbols) => onType({ allowedSymbols })}
          placeholder="MNQ, MES"
          hint="Roots, after the symbol map. Other symbols are not copied. Empty: all."
          error={error}
        />
      </div>
    </details>
  );
}

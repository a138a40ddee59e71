import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountField, AccountOf } from "../../parts/account-of.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import {
  FoldedFields,
  FormDialog,
  type SavingProps,
  type Typing,
  useForm,
} from "../../parts/form.tsx";
import { StartsAnew } from "./consequences.tsx";
import {
  changeOf,
  type FollowerTyped,
  newFollower,
  putOf,
  typedFollower,
} from "./follower-terms.ts";
import { type CopyGroup, type FollowerProps, mayFollow, type World } from "./world.ts";

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
      head={(tie) => <AccountField {...tie("accountId")} label="Account" accounts={free} />}
      onSave={add}
      onClose={onClose}
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
            <AccountOf id={accountId} accounts={accounts} />
          </strong>
        </p>
      )}
      onSave={save}
      onClose={onClose}
    />
  );
}

type Fields = Typing<FollowerTyped>;

/** Asks how an account follows; `head` says or asks which account it is. */
function FollowerForm({
  group,
  head,
  start,
  onSave,
  ...dialog
}: SavingProps<FollowerTyped> & {
  group: CopyGroup;
  head: (tie: Fields["tie"]) => ComponentChildren;
}) {
  const { action, ...fields } = useForm(start);
  const { typed, onType, tie } = fields;
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      {head(tie)}
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
    </FormDialog>
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

function SizeFields({ typed, tie }: Fields) {
  return (
    <div class="columns">
      <SelectField {...tie("sizedBy")} name="size" label="Size" options={SIZES} />
      {typed.sizedBy === "fixedQty" ? (
        <TextField
          {...tie("fixedQty")}
          label="Contracts"
          type="number"
          hint="This many contracts whenever the leader has a position, on the leader's side."
        />
      ) : (
        <>
          <TextField
            {...tie("multiplier")}
            label="Multiplier"
            type="decimal"
            hint="Contracts per contract of the leader, such as 0.5."
          />
          <SelectField
            {...tie("rounding")}
            label="Rounding"
            options={ROUNDINGS}
            hint="Applied to the leader's whole position times the multiplier."
          />
        </>
      )}
      <TextField
        {...tie("maxQty")}
        label="At most"
        type="number"
        hint="Most contracts in one position. Empty: no cap."
      />
    </div>
  );
}

function SymbolFields({ typed, tie, error }: Fields) {
  const [isOpen] = useState(typed.symbolMap !== "" || typed.allowedSymbols !== "");
  return (
    <FoldedFields summary="Symbols" error={error} isOpen={isOpen}>
      <TextField
        {...tie("symbolMap")}
        label="Symbol map"
        placeholder="NQ=MNQ, ES=MES"
        hint="With NQ=MNQ the leader's NQ is copied as MNQ, in the same month. Empty: the leader's symbol."
      />
      <TextField
        {...tie("allowedSymbols")}
        label="Only these symbols"
        placeholder="MNQ, MES"
        hint="Roots, after the symbol map. Other symbols are not copied. Empty: all."
      />
    </FoldedFields>
  );
}

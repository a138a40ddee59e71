import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { countText } from "../../parts/figure-text.ts";
import { DestinationForm } from "./destination-form.tsx";
import { changeOf, type DestinationTyped, typedOf } from "./destination-typed.ts";
import { OWN_ZONE } from "./own-zone.ts";
import { ShownSecret } from "./shown-secret.tsx";
import type { Account, Destination } from "./types.ts";

type Asked = "edit" | "rotate" | "delete";

/** Edit, make a new secret, delete. */
export function DestinationActions({
  destination,
  accounts,
  refresh,
  onDeleted,
}: {
  destination: Destination;
  accounts: readonly Account[];
  refresh: () => void;
  onDeleted: () => void;
}) {
  const { id, kind, name, state } = destination;
  const [asked, setAsked] = useState<Asked>();
  const [rotated, setRotated] = useState<{ secret: string; formerUntil: string }>();
  const params = { path: { id } };
  const close = () => setAsked(undefined);
  const save = async (typed: DestinationTyped) => {
    const body = changeOf(typed, destination);
    if (Object.keys(body).length > 0) {
      await answerOf(api.PATCH("/v1/destinations/{id}", { params, body }));
    }
    refresh();
    close();
  };
  const rotate = async () =>
    setRotated(await answerOf(api.POST("/v1/destinations/{id}/rotate-secret", { params })));
  const remove = async () => {
    await answerOf(api.DELETE("/v1/destinations/{id}", { params }));
    refresh();
    onDeleted();
  };
  return (
    <>
      <div class="actions end">
        <button type="button" class="small" onClick={() => setAsked("edit")}>
          Edit
        </button>
        {kind === "webhook" && (
          <button type="button" class="small" onClick={() => setAsked("rotate")}>
            Make a new secret
          </button>
        )}
        <button type="button" class="small danger" onClick={() => setAsked("delete")}>
          Delete
        </button>
      </div>
      {asked === "edit" && (
        <DestinationForm
          title={`Edit “${name}”`}
          verb="Save"
          stored={destination}
          accounts={accounts}
          start={typedOf(destination, OWN_ZONE)}
          onSave={save}
          onClose={close}
        />
      )}
      {asked === "rotate" && (
        <Confirm title="Make a new secret" verb="Make it" onConfirm={rotate} onClose={close}>
          <p>
            Posts are signed with the new one and the former one for a day: give your program the
            new one until then.
          </p>
        </Confirm>
      )}
      {asked === "delete" && (
        <Confirm title={`Delete “${name}”`} verb="Delete it" onConfirm={remove} onClose={close}>
          <p>
            Nothing is told there any more. {countText(state.waiting, "event")} that wait, and what
            was undelivered, go with it.
          </p>
        </Confirm>
      )}
      {rotated !== undefined && (
        <ShownSecret name={name} {...rotated} onClose={() => setRotated(undefined)} />
      )}
    </>
  );
}

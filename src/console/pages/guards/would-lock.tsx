import { Dialog } from "../../parts/dialog.tsx";
import { askedToLock } from "./change-guards.ts";

/** Asks once more where what is to be set locks the account at once, with the figures. */
export function WouldLock() {
  const asked = askedToLock.value;
  if (asked === undefined) return null;
  const { answer, problems } = asked;
  return (
    <Dialog title="The account would be locked at once" onClose={() => answer(false)}>
      <p>By the figures as they stand:</p>
      <ul class="plain">
        {problems.map(({ message, path }) => (
          <li key={path + message}>{message}</li>
        ))}
      </ul>
      <p>
        Nothing is changed yet. If you go on, the rules count at once: what they say of a breach is
        carried out, and where that is to close, <strong>every position is closed.</strong>
      </p>
      <div class="actions end">
        <button type="button" onClick={() => answer(false)}>
          Leave it as it is
        </button>
        <button type="button" class="danger sure" onClick={() => answer(true)}>
          Set it, and lock the account
        </button>
      </div>
    </Dialog>
  );
}

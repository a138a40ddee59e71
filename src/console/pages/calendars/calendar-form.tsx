import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { Field } from "../../parts/field.tsx";
import { TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figure-text.ts";
import { FormDialog, useForm } from "../../parts/form.tsx";

type Saved = components["schemas"]["SavedCalendar"];

/** As statistical offices of the United States publish theirs. */
const ZONE = "America/New_York";

/** Asks for a calendar's file: chosen, or pasted. With a `name` it replaces that one. */
export function CalendarForm({
  name,
  onSaved,
  onClose,
}: {
  name?: string;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
}) {
  const { action, error, onType, tie, typed } = useForm({
    name: name ?? "",
    zone: ZONE,
    text: "",
  });
  const save = async () => {
    onSaved(
      await answerOf(
        api.PUT("/v1/calendars/{name}", {
          params: { path: { name: typed.name.trim() }, query: { zone: typed.zone.trim() } },
          headers: { "Content-Type": "text/plain; charset=utf-8" },
          body: typed.text,
          // The file as it is: JSON would put it in quotes.
          bodySerializer: (text) => text,
        }),
      ),
    );
  };
  const choose = async (file: File | undefined) => {
    if (file !== undefined) onType({ text: await file.text() });
  };
  return (
    <FormDialog
      title={name === undefined ? "Add a calendar" : `Replace “${name}”`}
      verb="Save the calendar"
      action={action}
      isReady={typed.text.trim() !== "" && typed.name.trim() !== ""}
      onSend={save}
      onClose={onClose}
    >
      <div class="columns">
        {name === undefined && (
          <TextField
            {...tie("name")}
            label="Name"
            max={40}
            placeholder="us-releases"
            hint="Rules name it so: letters, digits, dots, hyphens and underscores."
            required
          />
        )}
        <TextField
          {...tie("zone")}
          label="Time zone of times that name none"
          placeholder={ZONE}
          required
        />
      </div>
      <Field
        label="File"
        name="file"
        hint="iCalendar, CSV with the columns start, title, impact, products and currency, or ForexFactory's JSON; up to 512 KiB."
      >
        {(tied) => (
          <input
            {...tied}
            type="file"
            accept=".ics,.csv,.json,text/calendar,text/csv,application/json"
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <Field label="Or its text" name="body" error={error}>
        {(tied) => (
          <textarea
            {...tied}
            name="body"
            rows={8}
            spellcheck={false}
            autocomplete="off"
            placeholder={PLACEHOLDER}
            value={typed.text}
            onInput={({ currentTarget }) => onType({ text: currentTarget.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}

const PLACEHOLDER = `start,title,impact,products,currency
2026-12-10 08:30,Consumer Price Index,high,,USD`;

/** What of the file is in the calendar, and what is not, and why. */
export function SavedNotice({ saved: { eventCount, leftOut, name } }: { saved: Saved }) {
  return (
    <div class={leftOut.length === 0 ? "notice good" : "notice watch"} role="status">
      <strong>
        “{name}” has {countText(eventCount, "event")} now.
        {leftOut.length > 0 && ` Left out: ${leftOut.length}.`}
      </strong>
      {leftOut.length > 0 && (
        <ul class="plain">
          {leftOut.map(({ reason, title, where }) => (
            <li key={`${where} ${title} ${reason}`}>
              {where}: {title} <span class="quiet">({reason})</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

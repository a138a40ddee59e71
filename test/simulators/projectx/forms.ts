/** Whether a value is of a form. */
export type Form = (value: unknown) => boolean;

/** The form of each field; what may be left out has an `optional` one. */
export type Forms<Name extends PropertyKey> = { readonly [Field in Name]: Form };

export const number: Form = (value) => Number.isFinite(value);
export const count: Form = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** A span of time, of which a part is one too. */
export const span: Form = (value) => Number.isFinite(value) && Number(value) >= 0;
export const text: Form = (value) => typeof value === "string";
export const flag: Form = (value) => typeof value === "boolean";
export const list: Form = (value) => Array.isArray(value);
export const anything: Form = () => true;
export const record: Form = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const optional =
  (form: Form): Form =>
  (value) =>
    value === undefined || form(value);

export const either =
  (...forms: readonly Form[]): Form =>
  (value) =>
    forms.some((form) => form(value));

/** One of a few words, all of which are named. */
export const words =
  <Word extends string>(known: { readonly [Each in Word]: true }): Form =>
  (value) =>
    typeof value === "string" && Object.hasOwn(known, value);

export const listOf =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every((each) => form(each));

export const recordOf =
  (form: Form): Form =>
  (value) =>
    record(value) && Object.values(value as object).every((each) => form(each));

/** Throws in words where a field is of another form, lacks, or is none that there is. */
export function checkForms(
  of: string,
  fields: object,
  forms: Readonly<Record<string, Form>>,
): void {
  const given = new Map<string, unknown>(Object.entries(fields));
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(forms, name));
  if (unknown.length > 0) throw new Error(`There is no such ${of}: ${unknown.join(", ")}`);
  const wrong = Object.keys(forms).filter((name) => forms[name]?.(given.get(name)) === false);
  if (wrong.length > 0) throw new Error(`No such value can there be: ${wrong.join(", ")}`);
}

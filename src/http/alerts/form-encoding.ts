/** A part of a text and where it begins. */
export interface Part {
  readonly text: string;
  readonly at: number;
}

/** The fields of a web form, decoded; `json` where one field alone holds a message in JSON. */
interface FormFields {
  readonly fields: readonly Part[];
  readonly json?: string;
}

const FIELD = String.raw`[\w.%+[\]-]+=[^&;\n]*`;
/** `name=value&name=value`, of which nothing is parted in another way. */
const FORM = new RegExp(String.raw`^\s*${FIELD}(?:&${FIELD})*(?:\n\s*)?$`);
const ENCODED = /%[\da-f]{2}/i;
/** `payload={…}`. */
const ONE_FIELD = /^\s*[\w.-]+=(.*)$/s;
const JSON_TEXT = /^\s*(?:\{.*\}|\[.*\])\s*$/s;

/**
 * Reads what a web form has sent (`application/x-www-form-urlencoded`), whatever type it declares.
 * Undefined for a body that is none: pairs with a separator of their own are none.
 */
export function formFields(body: string): FormFields | undefined {
  const [, only = ""] = ONE_FIELD.exec(body) ?? [];
  const json = [only, decoded(only)].find((text) => JSON_TEXT.test(text));
  if (json !== undefined) return { fields: [], json };
  if (!FORM.test(body) || !(body.includes("&") || ENCODED.test(body))) return undefined;
  let at = 0;
  const fields = body.split("&").map((field) => {
    const part = { text: decoded(field.trim()), at };
    at += field.length + 1;
    return part;
  });
  return { fields };
}

/** The body as it may be kept and shown: what is secret in it must be found by its name. */
export function readableForm(body: string): string {
  const form = formFields(body);
  if (form === undefined) return body;
  return form.json ?? form.fields.map(({ text }) => text).join("\n");
}

/** A sign that was escaped wrongly stays as it is. */
function decoded(text: string): string {
  return text.replaceAll("+", " ").replaceAll(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

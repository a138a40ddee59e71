import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** The form of each field; what may be left out has an `optional` one. */
export type Forms<Name extends PropertyKey> = { readonly [Field in Name]: TSchema };

export const number = Type.Number();
export const count = Type.Integer({ minimum: 0 });
/** A span of time, of which a part is one too. */
export const span = Type.Number({ minimum: 0 });
export const text = Type.String();
export const flag = Type.Boolean();
export const record = Type.Record(text, Type.Unknown());

/** One of a few words, all of which are named. */
export const words = <Word extends string>(known: { readonly [Each in Word]: true }): TSchema =>
  Type.Union(Object.keys(known).map((word) => Type.Literal(word)));

export const formOf = (fields: Readonly<Record<string, TSchema>>): TSchema =>
  Type.Object({ ...fields }, { additionalProperties: false });

/** Throws in words where a field is of another form, lacks, or is none that there is. */
export function checkForm(of: string, fields: object, form: TSchema): void {
  const wrong = Value.Errors(form, fields).First();
  if (wrong !== undefined) throw new Error(`${of}: ${wrong.message} (${wrong.path})`);
}

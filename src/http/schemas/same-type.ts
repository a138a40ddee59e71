import type { Brand } from "../../domain/brand.ts";

/** The domain's types as JSON has them. */
export type Plain<Value> =
  Value extends Brand<string, string>
    ? string
    : Value extends readonly (infer Item)[]
      ? Plain<Item>[]
      : Value extends object
        ? { -readonly [Name in keyof Value]: Plain<Value[Name]> }
        : Value;

/** `true satisfies Same<…>` does not compile where they differ. */
export type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

import type { AlertRequest } from "../../../../../src/domain/alert.ts";

/** A public body, and what it comes to. */
export type AlertExample = {
  readonly name: string;
  readonly source: string;
  readonly body: string;
} & (
  | { readonly reads: AlertRequest }
  | { readonly refused: readonly { readonly path: string; readonly contains: string }[] }
);

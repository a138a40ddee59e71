import { signal } from "@preact/signals";
import { answerOf, api, Refused, toError } from "../api/client.ts";
import type { components } from "../api/schema.ts";

/** Who is signed in, and for how long. */
export type Session = components["schemas"]["Session"];

type State =
  | { readonly kind: "asking" }
  /** `isOver`: the person was signed in until just now, and did not sign out. */
  | { readonly kind: "signedOut"; readonly isOver: boolean }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "signedIn"; readonly session: Session };

const state = signal<State>({ kind: "asking" });

export const session = {
  state,

  /** Finds out whether the browser still holds a session. */
  load: async (): Promise<void> => {
    try {
      state.value = { kind: "signedIn", session: await answerOf(api.GET("/v1/session")) };
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        state.value = { kind: "signedOut", isOver: false };
      } else {
        state.value = { kind: "unreachable", reason: toError(error).message };
      }
    }
  },

  begin: (next: Session): void => {
    state.value = { kind: "signedIn", session: next };
  },

  end: async (): Promise<void> => {
    await answerOf(api.DELETE("/v1/session"));
    state.value = { kind: "signedOut", isOver: false };
  },

  /** The first question that is answered with "not signed in" shows the sign-in. */
  noticeRefusal: ({ error }: { readonly error?: Error }): void => {
    if (state.value.kind !== "signedIn") return;
    if (error instanceof Refused && error.code === "UNAUTHORIZED") {
      state.value = { kind: "signedOut", isOver: true };
    }
  },
};

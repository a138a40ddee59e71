import { signal } from "@preact/signals";
import { Refused } from "../api/client.ts";

interface Asked {
  readonly answer: (isProven: boolean) => void;
}

const asked = signal<Asked | undefined>();

/** A new proof of who the person is, for what the gateway does only right after one. */
export const proof = {
  /** Whose answer is waited for; `ConfirmPerson` shows it. */
  asked,

  /** Settles when the person proved who they are, or did not want to. */
  ask: async (): Promise<boolean> => {
    asked.value?.answer(false);
    const isProven = await new Promise<boolean>((answer) => {
      asked.value = { answer };
    });
    asked.value = undefined;
    return isProven;
  },
};

/** Runs it; where the gateway wants a new proof first, asks for one and runs it once more. */
export async function withProof(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "SIGN_IN_AGAIN") throw error;
    if (!(await proof.ask())) throw new Error("Nothing was changed: it needs your confirmation");
    await work();
  }
}

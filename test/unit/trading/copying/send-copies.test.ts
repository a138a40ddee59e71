import { expect, test } from "vitest";
import { createSendCopies, type SentCopy } from "../../../../src/trading/copying/send-copies.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";
import { copyEntry, ES, FIRST } from "./copy-kit.ts";

const away = new StoreError("Redis is away", { certainlyNotWritten: false });

const copy = {
  kind: "send",
  entry: copyEntry(),
  intent: { kind: "FLATTEN", contract: ES, cancelResting: false },
  isExit: true,
  entryMaxAgeMs: 1_000,
} as unknown as SentCopy;

interface Failing {
  readonly notes: boolean;
  readonly accepts: boolean;
}

function sendWhile({ notes, accepts }: Failing) {
  const told: string[] = [];
  const fails = async (isSo: boolean, word: string) => {
    if (isSo) throw away;
    told.push(word);
    return await Promise.resolve({ kind: "accepted" as const });
  };
  const send = createSendCopies({
    intents: { accept: async () => await fails(accepts, "accepted") },
    lanes: {
      prepare: () => undefined,
      isElsewhere: (account) => account !== FIRST,
      expect: () => undefined,
      ring: () => undefined,
    },
    log: { note: async () => void (await fails(notes, "noted")) },
    patientLog: { note: async () => void told.push("noted once more") },
    news: { claim: async () => true },
    follow: () => ({ accepted: () => told.push("followed"), failed: () => told.push("given up") }),
    exitMaxAgeMs: 1_000,
  });
  return { told, sent: send([copy], 0) };
}

test("a copy that was accepted is told, whatever became of the note beside it", async () => {
  const { told, sent } = sendWhile({ notes: true, accepts: false });
  await sent;
  expect(told).toEqual(["accepted", "noted once more", "followed"]);
});

test("a copy that may be missing is sent again by its caller", async () => {
  const { told, sent } = sendWhile({ notes: false, accepts: true });
  await expect(sent).rejects.toBe(away);
  expect(told).toEqual(["noted", "given up"]);
});

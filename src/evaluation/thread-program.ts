import { parentPort } from "node:worker_threads";
import { createStrategyEngine } from "./strategy-engine.ts";

/** The program of the thread that evaluates: it answers one question after another. */

type Engine = ReturnType<typeof createStrategyEngine>;

/** What it is asked. */
export type Question =
  | { readonly call: "compute"; readonly args: Parameters<Engine["compute"]> }
  | { readonly call: "series"; readonly args: Parameters<Engine["series"]> };

/** What it says: once that it is there, then an answer to each question. */
export type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "failure"; readonly error: unknown };

const engine = createStrategyEngine();

function answer({ call, args }: Question): unknown {
  switch (call) {
    case "compute":
      return engine.compute(...args);
    case "series":
      return engine.series(...args);
  }
}

function send(message: Message): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", (question: Question) => {
  try {
    send({ kind: "answer", value: answer(question) });
  } catch (error) {
    send({ kind: "failure", error });
  }
});
send({ kind: "ready" });

import type { Tone } from "../../parts/tone.ts";
import type { Connection } from "./types.ts";

interface State {
  readonly tone: Tone;
  readonly word: string;
  /** What it means for alerts, and what a person can do; undefined where all is well. */
  readonly meaning?: string;
}

const STATES: Readonly<Record<Connection["status"], State>> = {
  CONNECTED: { tone: "good", word: "Connected" },
  CONNECTING: {
    tone: "watch",
    word: "Connecting",
    meaning: "Logging in. Orders wait meanwhile, and expire when they get too old.",
  },
  RECONNECTING: {
    tone: "watch",
    word: "Reconnecting",
    meaning:
      "The session was lost and is reconnecting. Orders wait meanwhile, and expire when they get too old.",
  },
  DISCONNECTED: {
    tone: "bad",
    word: "Not connected",
    meaning: "Not logged in: nothing can be sent.",
  },
  AUTH_EXPIRED: {
    tone: "bad",
    word: "Login refused",
    meaning:
      "The broker refused the login. The gateway does not try again by itself, since repeated failures lock accounts: correct the settings, or settle it with the broker and reconnect.",
  },
  FATAL_ERROR: {
    tone: "bad",
    word: "Session refused",
    meaning:
      "The broker refuses every session. The gateway does not try again by itself: settle it with the broker, then reconnect.",
  },
};

const PAUSED: State = {
  tone: "quiet",
  word: "Paused",
  meaning:
    "Not logged in. Alerts for its accounts are refused, exits too; positions and orders stay at the broker.",
};

export function stateOf({ paused, status }: Pick<Connection, "paused" | "status">): State {
  return paused ? PAUSED : STATES[status];
}

/** After these the gateway logs in only when it is asked to. */
export const waitsForPerson = ({ status }: Pick<Connection, "status">): boolean =>
  status === "AUTH_EXPIRED" || status === "FATAL_ERROR";

/** Any other one logs in by itself; the gateway's own has no session with a broker. */
export const mayReconnect = (
  connection: Pick<Connection, "paused" | "status" | "name">,
): boolean => {
  const isAdded = connection.name !== null;
  const isUp = isAdded && connection.status === "CONNECTED";
  return !connection.paused && (isUp || waitsForPerson(connection));
};

/** The newest word of the health stream stands for what was read a moment before. */
export function withLiveState(
  connection: Connection,
  live: ReadonlyMap<string, string>,
): Connection {
  const word = live.get(connection.connectionId);
  return isStatus(word) ? { ...connection, status: word } : connection;
}

export const isStatus = (word: string | undefined): word is Connection["status"] =>
  word !== undefined && Object.hasOwn(STATES, word);

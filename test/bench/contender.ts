import type { Programs } from "./build.ts";

/** How many accounts every contender serves. */
export const ACCOUNTS = 100;

/** One way to turn an alert into an answer, measured beside the others. */
export interface Contender {
  readonly name: string;
  /** Why it cannot run here; undefined when it can. */
  readonly missing?: string | undefined;
  /** Starts it with its own empty Redis, in processes of its own. */
  readonly start: (place: Place) => Promise<Running>;
}

export interface Place {
  readonly programs: Programs;
  /** An empty folder for whatever it keeps; removed afterwards. */
  readonly folder: string;
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

export interface Running {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Where alerts are posted to, one path an account. */
  readonly hooks: readonly string[];
  /** Contracts of each alert; 1 where absent. */
  readonly qty?: number;
  /** Its Node processes as they are now. */
  readonly nodePids: () => Promise<readonly number[]>;
  readonly redisPid: number;
  readonly redisSocket: string;
  /** Alerts answered so far before their outcome was known. */
  readonly answeredEarly: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

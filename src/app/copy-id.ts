import { hash } from "node:crypto";
import { intentId } from "../domain/ids.ts";
import type { CopyId } from "../trading/copying/planned-copy.ts";

/** Of the form of every intent's id, so that brokers and reconciliation know it for ours. */
export const copyIdOf: CopyId = (group, follower, event) =>
  intentId(`i${hash("sha256", `${group} ${follower} ${event}`, "hex").slice(0, 28)}`);

import { laneLayout } from "../../queues/lane-layout.ts";
import { createLaneScripts } from "../store/intents/lane-scripts.ts";

/** The store's records and the queue's jobs meet here: neither room knows the other. */
export const laneScripts = createLaneScripts(laneLayout);

/** How a copy that is not the newest into its contract any more is ended on its lane, unsent. */
export const SUPERSEDED = "A newer copy stands for it, or copying ended before it was sent";

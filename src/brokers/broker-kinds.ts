import type { BrokerKinds } from "./broker-kind.ts";
import { PROJECTX } from "./projectx/kind.ts";
import { TRADOVATE } from "./tradovate/kind.ts";

/** Every broker that connections can be added for; paper is the appliance's own. */
export const BROKER_KINDS: BrokerKinds = { tradovate: TRADOVATE, projectx: PROJECTX };

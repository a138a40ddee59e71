import type { components } from "../../api/schema.ts";

export type Overview = components["schemas"]["Overview"];

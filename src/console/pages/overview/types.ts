import type { components } from "../../api/schema.ts";

export type Overview = components["schemas"]["Overview"];
export type Holding = Overview["holdings"][number];
export type Trouble = Overview["troubles"][number];

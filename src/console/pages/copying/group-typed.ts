import { numberOr } from "../../parts/number-or.ts";
import type {
  ChangeCopyGroupBody,
  CopyGroup,
  CopyMode,
  CreateCopyGroupBody,
  DriftPolicy,
} from "./types.ts";

/** A group as it stands in the form. Figures are text, and empty is what the gateway does by itself. */
export interface GroupTyped {
  readonly leaderAccountId: string;
  readonly name: string;
  readonly mode: CopyMode;
  readonly driftPolicy: DriftPolicy;
  readonly driftAfterSeconds: string;
  readonly maxAgeSeconds: string;
  readonly stopAfterRejects: string;
}

export const newGroup = (leaderAccountId: string): GroupTyped => ({
  leaderAccountId,
  name: "",
  mode: "fills",
  driftPolicy: "alarm",
  driftAfterSeconds: "",
  maxAgeSeconds: "",
  stopAfterRejects: "",
});

export const typedGroup = (group: CopyGroup): GroupTyped => ({
  leaderAccountId: group.leaderAccountId,
  name: group.name,
  mode: group.mode,
  driftPolicy: group.driftPolicy,
  driftAfterSeconds: String(group.driftAfterSeconds),
  maxAgeSeconds: String(group.maxAgeSeconds),
  stopAfterRejects: String(group.stopAfterRejects),
});

/** Nobody follows in it yet: who does is added on its page, each with a size. */
export const creationOf = (typed: GroupTyped): CreateCopyGroupBody => ({
  leaderAccountId: typed.leaderAccountId,
  followers: [],
  ...termsOf(typed),
});

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: GroupTyped, group: CopyGroup): ChangeCopyGroupBody {
  const changed = Object.entries(termsOf(typed)).filter(
    ([name, value]) => value !== group[name as keyof CopyGroup],
  );
  return Object.fromEntries(changed);
}

const FIGURES = ["driftAfterSeconds", "maxAgeSeconds", "stopAfterRejects"] as const;

/** What is left empty is left out; what is no number goes as text, and is refused by its name. */
function termsOf(typed: GroupTyped): ChangeCopyGroupBody {
  const { driftPolicy, mode } = typed;
  const name = typed.name.trim();
  const given = FIGURES.filter((figure) => typed[figure].trim() !== "");
  return {
    ...(name !== "" && { name }),
    mode,
    driftPolicy,
    ...Object.fromEntries(given.map((figure) => [figure, numberOr(typed[figure].trim())])),
  };
}

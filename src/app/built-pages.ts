import { fileURLToPath } from "node:url";
import { StaticFiles } from "../http/server/static-files.ts";

/** Where the build puts the pages, seen from this file as it is built and as it is written. */
const BUILT = new URL(
  import.meta.url.includes("/dist/") ? "../../" : "../../dist/",
  import.meta.url,
);

/** The pages that the build made of one folder; none where it was not run. */
export function builtPages(folder: "api-docs" | "console"): StaticFiles {
  return StaticFiles.read(fileURLToPath(new URL(`${folder}/`, BUILT)));
}

import { symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { COMPILED, PROGRAMS } from "./program.ts";
import { ROOT } from "./source-tree.ts";

/**
 * Packages that stay apart from the programs: native code, those that load other packages by name, and
 * traces, of which a test counts what is loaded.
 */
const APART = [
  "@microsoft/signalr",
  "@node-rs/argon2",
  "@opentelemetry/api",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
  "ws",
];

/**
 * Before tests that start processes: their programs are compiled once, into the run's own folder. From
 * source each start would read and translate a thousand files. Packages are compiled in: a gateway that
 * reads theirs one by one takes a second of a processor longer to start.
 */
export default async function setup(): Promise<void> {
  if (process.env[COMPILED] !== undefined) return;
  const folder = path.join(tmpdir(), "programs");
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    plugins: [asIfBuilt(folder)],
    ssr: { noExternal: true, external: APART },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: "node20",
      rolldownOptions: {
        input: PROGRAMS,
        output: { entryFileNames: "[name].js" },
        // A package of Koa's has one.
        checks: { eval: false },
      },
    },
  });
  await symlink(path.join(ROOT, "node_modules"), path.join(tmpdir(), "node_modules"));
  process.env[COMPILED] = folder;
}

/** A module that starts another program finds it beside itself. */
const STARTS_A_PROGRAM = "src/evaluation/evaluation-thread.ts";

/** A module finds the files beside it where `npm run build` would have put it. */
const asIfBuilt = (folder: string): Plugin => ({
  name: "as-if-built",
  transform: (code, id) => {
    const source = path.relative(ROOT, id);
    if (!source.startsWith("src/")) return undefined;
    const built = source.replace(/\.ts$/, ".js");
    const { href } = pathToFileURL(
      source === STARTS_A_PROGRAM
        ? path.join(folder, path.basename(built))
        : path.join(ROOT, "dist", built),
    );
    return code.replaceAll("import.meta.url", JSON.stringify(href));
  },
});

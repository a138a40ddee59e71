import { defineConfig } from "vite";

/**
 * The command line with all it needs, in few files: loading them one by one takes longer than most commands.
 * The gateway itself runs from what tsc writes.
 */
export default defineConfig({
  root: import.meta.dirname,
  // Native code stays where it is installed.
  ssr: { noExternal: true, external: ["@node-rs/argon2"] },
  build: {
    ssr: "gateway.ts",
    outDir: "../../dist/command-line",
    emptyOutDir: true,
    target: "node20",
  },
});

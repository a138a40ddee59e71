import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin } from "vite";
import { precompress } from "../precompress.ts";

/** The page of the API document, which the gateway serves at /api-docs; nothing is fetched from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/api-docs/",
  plugins: [apiTypes(), precompress()],
  build: {
    outDir: "../../../dist/api-docs",
    emptyOutDir: true,
    target: "es2022",
    // Swagger UI is one file of this size, and comes minified.
    chunkSizeWarningLimit: 2_000,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/** The types of the API lie beside the page, for whoever writes a client. */
function apiTypes(): Plugin {
  return {
    name: "api-types",
    generateBundle() {
      const source = readFileSync(path.join(import.meta.dirname, "../api/schema.ts"));
      this.emitFile({ type: "asset", fileName: "schema.ts", source });
    },
  };
}

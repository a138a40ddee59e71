import { defineConfig } from "vite";
import { precompress } from "./precompress.ts";

/** Built to static files that the gateway serves at /console/; nothing is fetched from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [precompress()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../dist/console",
    emptyOutDir: true,
    target: "es2022",
    // A data URL would be refused by the content policy.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script's work; every browser that has passkeys preloads.
    modulePreload: { polyfill: false },
    // A few lines that several pages share are not worth a request of their own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "shared", test: /parts\/(?:fields|form|mark|table)\.tsx$/ }],
        },
      },
    },
  },
});

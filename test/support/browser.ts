import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Chromium without its desktop program, at a third of the cost: the same pages, scripts, network and
 * passkeys. Debian's package; `config/system-packages.sh chromium` installs it.
 */
const CHROMIUM = process.env["CHROMIUM_BIN"] ?? "/usr/bin/chromium-headless-shell";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  // A process for each window, and none in advance.
  "--renderer-process-limit=1",
  // Nothing that Chromium does by itself may leave this machine.
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** In the browser's words: this program has no types for them. */
const TELL_VIOLATIONS = `
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  tellViolation("refused by " + effectiveDirective + ": " + blockedURI);
});
`;

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export interface Look {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A page of a person's own browser, and all that any page there did which none of the console may. */
export interface Visit {
  readonly page: Page;
  /** Fails with what the content policy refused, what was thrown, and what was asked of others. */
  readonly expectNoTrespass: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a window without cookies on one gateway. Times out early: everything is on this machine. */
export async function visit(browser: Browser, url: string, look: Look = {}): Promise<Visit> {
  const { scheme = "light", width = 1280, height = 900 } = look;
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: scheme,
    viewport: { width, height },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(10_000);
  const trespasses: string[] = [];
  await context.exposeFunction("tellViolation", (text: string) => trespasses.push(text));
  await context.addInitScript({ content: TELL_VIOLATIONS });
  context.on("weberror", (error) => trespasses.push(`thrown: ${error.error().message}`));
  context.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith("data:")) {
      trespasses.push(`asked of another: ${asked}`);
    }
  });
  const page = await context.newPage();
  return {
    page,
    expectNoTrespass: () => expect(trespasses).toEqual([]),
    close: async () => await context.close(),
  };
}

/** What axe finds wrong with the page as it stands, in one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // As the debugger would: the page's own policy lets no script in.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document, { resultTypes: ['violations'] }).then(JSON.stringify)",
    awaitPromise: true,
  });
  await session.detach();
  const { violations } = JSON.parse(String(result.value)) as Pick<AxeResults, "violations">;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/** An authenticator that always proves its person, as a fingerprint reader would. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findPrograms } from "./system-programs.ts";
import { HANGS_AFTER_MS } from "./wait.ts";

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

let browser: Promise<Browser> | undefined;

/**
 * One for all files of a worker, each visit in a context of its own. It ends with the worker, however
 * that ends: Chromium exits when the pipe to it closes.
 */
export async function openBrowser(): Promise<Browser> {
  const [executablePath = ""] = browser === undefined ? findPrograms("chromium") : [];
  browser ??= chromium.launch({ executablePath, args: FLAGS, timeout: HANGS_AFTER_MS });
  return await browser;
}

/** What a page is looked at in. */
interface Look {
  readonly scheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
}

const DESK: Look = { scheme: "light", width: 1280, height: 900 };
/** What fits there fits on every wider phone. */
const PHONE: Look = { scheme: "light", width: 360, height: 740 };

/** The last one is what pages are opened in. */
const LOOKS: readonly Look[] = [{ ...DESK, scheme: "dark" }, PHONE, DESK];

const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** As axe takes them. */
const RULES = {
  all: {},
  "of colour": { runOnly: { type: "rule", values: COLOUR_RULES } },
  "all others": {
    rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
  },
};

/** A person's own browser, and all that any page there did which none of the console may. */
export interface Visitor {
  /** A window. All of them share their cookies, and what was fetched once. */
  readonly open: () => Promise<Page>;
  /** Fails with what the content policy refused, what was thrown, and what was asked of others since. */
  readonly expectNoTrespass: () => void;
  readonly close: () => Promise<void>;
}

/** A window of a person who has no other. */
export interface Visit extends Omit<Visitor, "open"> {
  readonly page: Page;
}

/** Opens a window without cookies on one gateway. */
export async function visit(url: string, scheme?: Look["scheme"]): Promise<Visit> {
  const { open, ...visitor } = await openVisitor(url, scheme);
  return { ...visitor, page: await open() };
}

/** Without cookies yet. */
export async function openVisitor(url: string, scheme: Look["scheme"] = "light"): Promise<Visitor> {
  const ours = await openBrowser();
  const context = await ours.newContext({
    baseURL: url,
    colorScheme: scheme,
    viewport: DESK,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(HANGS_AFTER_MS);
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
  return {
    open: async () => await context.newPage(),
    expectNoTrespass: () => expect(trespasses.splice(0)).toEqual([]),
    close: async () => await context.close(),
  };
}

/** What every page owes to everybody, in every look: no barrier, and nothing that hangs out at the side. */
export async function expectFit(page: Page): Promise<void> {
  for (const look of LOOKS) {
    const { scheme, width, height } = look;
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    const overhang = Number(await page.evaluate(OVERHANG_ONCE_DRAWN));
    const barriers = await findBarriers(page, rulesOf(look));
    expect({ look, barriers, overhang: Math.max(0, overhang) }).toEqual({
      look,
      barriers: [],
      overhang: 0,
    });
  }
}

type Rules = keyof typeof RULES;

/** The page, or the dialog in front of it: a page has its own look before a dialog hides it. */
const WITHIN = "[...document.querySelectorAll('dialog:modal')].at(-1) ?? document";

/**
 * The rules of colour in each theme, the others at each width: a theme changes nothing else, and a
 * width no colours (`unit/console/widths.test.ts`).
 */
function rulesOf(look: Look): Rules {
  if (look === DESK) return "all";
  return look === PHONE ? "all others" : "of colour";
}

/** In the browser's words: this program has no types for them. */
const OVERHANG_ONCE_DRAWN = `new Promise((resolve) => {
  const measure = () => resolve(document.scrollingElement.scrollWidth - innerWidth);
  requestAnimationFrame(() => requestAnimationFrame(measure));
})`;

const axeSource = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let axe: string | undefined;

/** What axe finds wrong with the page as it stands, in one line each. */
async function findBarriers(page: Page, rules: Rules): Promise<string[]> {
  axe ??= await readFile(axeSource, "utf8");
  // As the debugger would: the page's own policy lets no script in.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true });
    return String(result.value);
  };
  if ((await evaluate("typeof axe")) === "undefined") await evaluate(`${axe}; 0`);
  const options = {
    resultTypes: ["violations"],
    // Styles and media would be fetched again, for rules that no page of ours can break.
    preload: false,
    ...RULES[rules],
  };
  const run = `axe.run(${WITHIN}, ${JSON.stringify(options)})`;
  const found = await evaluate(`${run}.then(JSON.stringify)`);
  await session.detach();
  const { violations } = JSON.parse(found) as Pick<AxeResults, "violations">;
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

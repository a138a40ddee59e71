import { Type } from "@sinclair/typebox";
import type { Next } from "koa";
import type { Exchange } from "../answer.ts";
import { contentPolicyOf, type StaticFiles } from "../server/static-files.ts";
import type { OpenRoute } from "../route.ts";

const PAGE = "/api-docs";
const INSIDE = `${PAGE}/`;

/** The API document for programs; a browser that opens /api-docs gets a page that shows it. */
export function apiDocsRoutes(openApiText: () => string): OpenRoute[] {
  const document = (path: string, id: string, description?: string): OpenRoute => ({
    kind: "open",
    effect: "read",
    method: "GET",
    path,
    id,
    tag: "Operations",
    summary: "This document",
    ...(description !== undefined && { description }),
    replies: [
      {
        status: 200,
        description: "OpenAPI 3.1",
        schema: Type.Object({}, { additionalProperties: true }),
        example: { openapi: "3.1.0", info: { title: "Alert gateway", version: "1.0.0" } },
      },
    ],
    errors: [],
    handle: async () => ({
      status: 200,
      body: openApiText(),
      contentType: "application/json; charset=utf-8",
      ...(path === PAGE && { headers: { Vary: "Accept" } }),
    }),
  });
  return [
    document(
      PAGE,
      "apiDocs",
      "The document; for an Accept header that prefers text/html, a page that shows it and can try it out. /api-docs/schema.ts has its types for TypeScript.",
    ),
    document(`${PAGE}/openapi.json`, "openApi"),
  ];
}

const HEADERS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

/**
 * Swagger UI writes its markup by itself, which a policy of trusted types would refuse; there is
 * nothing in it but the document. The rest is as strict as the console's.
 */
const PAGE_HEADERS = {
  ...HEADERS,
  "Content-Security-Policy": contentPolicyOf(),
  "Cross-Origin-Opener-Policy": "same-origin",
};

/** Before the router: the page, for those who ask for one, and the files that it is made of. */
export function createApiDocsPage(files: StaticFiles) {
  return async function showApiDocs(ctx: Exchange, next: Next): Promise<void> {
    const { path } = ctx;
    if (!path.startsWith(PAGE)) return await next();
    const isAnswered = path === PAGE || path === INSIDE ? answerPage(ctx) : answerFile(ctx);
    if (isAnswered) ctx.state.route = PAGE;
    else await next();
  };

  function answerPage(ctx: Exchange): boolean {
    // A program that accepts anything gets the document, as it always did.
    if (ctx.accepts("application/json", "text/html") !== "text/html") return false;
    ctx.vary("Accept");
    return files.answer(ctx, "index.html", PAGE_HEADERS);
  }

  function answerFile(ctx: Exchange): boolean {
    if (!ctx.path.startsWith(INSIDE)) return false;
    const name = ctx.path.slice(INSIDE.length);
    return !name.endsWith(".html") && files.answer(ctx, name, HEADERS);
  }
}

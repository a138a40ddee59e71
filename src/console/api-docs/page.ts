import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { resolvePart } from "./resolve-part.ts";

const DOCUMENT_PATH = "/api-docs/openapi.json";

/** Shows the API document. What is tried out goes to the gateway that this page came from. */
async function showDocument(domNode: Element): Promise<void> {
  const response = await fetch(DOCUMENT_PATH);
  if (!response.ok) throw new Error(`${DOCUMENT_PATH} answered ${response.status}`);
  const document = (await response.json()) as object;
  SwaggerUI({
    // Elsewhere the page's own content policy would refuse to send it.
    spec: { ...document, servers: [{ url: location.origin }] },
    domNode,
    deepLinking: true,
    docExpansion: "list",
    displayRequestDuration: true,
    // Would send the document to a public service.
    validatorUrl: null,
    plugins: [() => ({ fn: { resolveSubtree: resolvePart } })],
  });
}

/** Swagger UI's dark look is a class of the whole document. */
function followColorScheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

followColorScheme();
const place = document.querySelector("#api");
if (place !== null) {
  showDocument(place).catch((error: unknown) => {
    place.textContent = `The document cannot be shown: ${String(error)}`;
  });
}

/** What is used of the package, which has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: {
    readonly spec: object;
    readonly domNode: Element;
    readonly deepLinking: boolean;
    readonly docExpansion: "list" | "full" | "none";
    readonly displayRequestDuration: boolean;
    readonly validatorUrl: null;
    /** Each may put functions in the place of Swagger UI's own. */
    readonly plugins: readonly (() => { readonly fn: object })[];
  }): void;
}

declare module "swagger-ui-dist/swagger-ui.css";

/** Who may import whom. Everything not listed here is allowed. */
const ENTRY = "^src/(app/|cli/|processes/|main[.]ts$)";

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      // A part that takes a type from what is made of it can be read in neither direction.
      name: "no-circles-of-types",
      severity: "error",
      from: { path: "^(src|queues|config|grafana)/" },
      to: { circular: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          "^src/main[.]ts$",
          "^src/console/(api-docs/)?vite[.]config[.]ts$",
          "^src/console/api-docs/page[.]ts$",
          "^test/",
          "[.]d[.]ts$",
        ],
      },
      to: {},
    },
    {
      name: "domain-is-pure",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { pathNot: ["^src/domain/", "^(node:)?assert(/strict)?$"] },
    },
    {
      name: "trading-sees-ports-only",
      severity: "error",
      from: { path: "^src/trading/" },
      to: {
        path: "^(src/|queues/|config/)",
        pathNot: ["^src/(trading|domain)/", "^src/errors[.]ts$"],
      },
    },
    {
      name: "trading-needs-no-package",
      severity: "error",
      from: { path: "^src/trading/" },
      to: { dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg"] },
    },
    {
      name: "ports-are-implemented-by-type",
      severity: "error",
      // An error that a port may throw is part of the port, and has to be made by who implements it.
      from: { path: "^src/(brokers|store|calendars|proofs|evaluation|schedule|notify)/" },
      to: {
        path: "^src/trading/",
        pathNot: [
          "^src/trading/(ports|store-error)[.]ts$",
          "^src/trading/[a-z]+/(ports|fill-pages)[.]ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "routes-do-not-see-brokers",
      severity: "error",
      from: { path: "^src/http/" },
      to: { path: "^(src/(brokers|store)/|queues/)" },
    },
    {
      name: "routes-do-not-see-redis",
      severity: "error",
      from: { path: "^src/(http|brokers)/" },
      to: { path: "node_modules/(ioredis|bullmq)/" },
    },
    {
      name: "brokers-do-not-see-http",
      severity: "error",
      from: { path: "^src/brokers/" },
      to: { path: "^(src/(http|store)/|queues/)" },
    },
    {
      name: "no-broker-sees-another",
      severity: "error",
      from: { path: "^src/brokers/([^/]+)/" },
      to: { path: "^src/brokers/[^/]+/", pathNot: "^src/brokers/$1/" },
    },
    {
      name: "store-stays-below",
      severity: "error",
      from: { path: "^src/store/" },
      to: { path: "^(src/(http|brokers)/|queues/)" },
    },
    {
      name: "libraries-behind-ports-stay-below",
      severity: "error",
      from: { path: "^src/(calendars|proofs|evaluation|schedule)/" },
      to: { path: "^(src/(http|brokers|store)/|queues/)" },
    },
    {
      name: "only-the-entry-wires-libraries-behind-ports",
      severity: "error",
      from: {
        path: "^(src|queues|config)/",
        pathNot: ["^src/(calendars|proofs|evaluation|schedule)/", ENTRY],
      },
      to: { path: "^src/(calendars|proofs|evaluation|schedule)/" },
    },
    {
      name: "no-library-behind-a-port-sees-another",
      severity: "error",
      from: { path: "^src/(calendars|proofs|evaluation|schedule)/" },
      to: { path: "^src/(calendars|proofs|evaluation|schedule)/", pathNot: "^src/$1/" },
    },
    {
      name: "channels-stay-below",
      severity: "error",
      from: { path: "^src/notify/" },
      to: { path: "^(src/|queues/|config/)", pathNot: "^src/(notify|domain|trading)/" },
    },
    {
      name: "channels-need-few-packages",
      severity: "error",
      // What they call is called by one guarded way.
      from: { path: "^src/notify/" },
      to: {
        dependencyTypes: ["npm", "npm-optional", "npm-peer"],
        pathNot: "node_modules/(ipaddr[.]js|nodemailer)/",
      },
    },
    {
      name: "only-guarded-files-connect",
      severity: "error",
      from: {
        path: "^src/notify/",
        pathNot: "^src/notify/(allowed-addresses|guarded-(request|connection))[.]ts$",
      },
      to: { path: "^(node:)?(https?|http2|net|tls|dgram|dns)(/promises)?$" },
    },
    {
      name: "only-the-entry-opens-channels",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: ["^src/notify/", "^src/(app|cli)/"] },
      to: { path: "^src/notify/" },
    },
    {
      name: "queues-do-not-see-http",
      severity: "error",
      from: { path: "^queues/" },
      to: { path: "^src/(http|brokers|store)/" },
    },
    {
      name: "only-the-entry-wires-queues",
      severity: "error",
      from: { path: "^src/", pathNot: ENTRY },
      to: { path: "^queues/" },
    },
    {
      name: "nothing-sees-the-entry",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: ENTRY },
      to: { path: ENTRY },
    },
    {
      name: "only-main-runs-commands",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: "^src/(cli/|main[.]ts$)" },
      to: { path: "^src/cli/" },
    },
    {
      name: "only-main-starts-processes",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: "^src/(processes/|main[.]ts$)" },
      to: { path: "^src/processes/launcher[.]ts$" },
    },
    {
      name: "processes-do-not-see-subjects",
      severity: "error",
      from: { path: "^src/processes/" },
      to: {
        path: "^(src/(trading|brokers|cli|calendars|proofs|evaluation|schedule)/|queues/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "data-folder-stays-below",
      severity: "error",
      from: { path: "^src/data-folder/" },
      to: { path: "^(src/(http|brokers)/|queues/)" },
    },
    {
      name: "data-folder-implements-ports",
      severity: "error",
      from: { path: "^src/data-folder/" },
      to: {
        path: "^src/trading/",
        pathNot: ["^src/trading/ports[.]ts$", "^src/trading/[a-z]+/ports[.]ts$"],
      },
    },
    {
      name: "only-the-entry-opens-the-data-folder",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: ["^src/data-folder/", ENTRY] },
      to: { path: "^src/data-folder/" },
    },
    {
      name: "only-the-entry-reads-config",
      severity: "error",
      from: { path: "^(src|queues)/", pathNot: ENTRY },
      to: { path: "^config/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "config-sees-domain-only",
      severity: "error",
      from: { path: "^config/" },
      to: { path: "^(src|queues)/", pathNot: "^src/domain/" },
    },
    {
      name: "dashboards-stand-alone",
      severity: "error",
      from: { path: "^grafana/" },
      to: { path: "^(src|queues|config)/" },
    },
    {
      name: "product-does-not-see-dashboards",
      severity: "error",
      from: { path: "^(src|queues|config)/" },
      to: { path: "^grafana/" },
    },
    {
      name: "console-stands-alone",
      severity: "error",
      // What writes the types of the API runs in the build, and reads the routes. The console reads
      // what is declared once: its fields and their words. An exit plan is drawn by the arithmetic that
      // carries it out.
      from: { path: "^src/console/", pathNot: "^src/console/api/write-schema[.]ts$" },
      to: {
        path: "^(src|queues|config)/",
        pathNot: [
          "^src/(console|domain/(declared|exits))/",
          "^src/domain/(notify/event|contracts/(decimal|price))[.]ts$",
        ],
      },
    },
    {
      name: "declared-imports-nothing",
      severity: "error",
      // It runs in the browser too.
      from: { path: "^src/domain/declared/" },
      to: { pathNot: "^src/domain/declared/" },
    },
    {
      name: "product-does-not-see-the-console",
      severity: "error",
      from: { path: "^(src|queues|config)/", pathNot: "^src/console/" },
      to: { path: "^src/console/" },
    },
    {
      name: "no-tests-in-product",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^test/" },
    },
    {
      name: "no-dev-deps-in-product",
      severity: "error",
      // The console's packages are in its build.
      from: { path: "^(src|queues|config)/", pathNot: "^src/console/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".cjs"] },
  },
};

// `npm run model -- 3000 7` looks for broken promises of the lane, `npm run model -- account 20000 7` for
// broken invariants of an account.
await(process.argv[2] === "account" ? import("./account/main.ts") : import("./lane/main.ts"));

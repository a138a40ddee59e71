/**
 * The kind of money that an account trades. A live account trades real money, also where its broker does not say.
 * A demo account belongs to a broker's demo service or to the built-in broker. A simulated account has
 * no real money at a live service: evaluation and practice accounts of firms.
 */
export const ACCOUNT_ENVIRONMENTS = ["demo", "live", "simulated"] as const;
export type AccountEnvironment = (typeof ACCOUNT_ENVIRONMENTS)[number];

/** The service that a connection logs in to. A live service may have accounts that are simulated. */
export type ServiceEnvironment = Exclude<AccountEnvironment, "simulated">;

/** The service of an account: what it is called there is the same for each of its logins. */
export const serviceOf = (environment: AccountEnvironment): ServiceEnvironment =>
  environment === "demo" ? "demo" : "live";

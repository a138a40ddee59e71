declare const brand: unique symbol;

/** A primitive that cannot be mixed up with another of the same shape. Costs nothing at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

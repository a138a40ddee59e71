/**
 * A value while it is put together: what may be absent is set where it is there. On an alert's way no
 * literal begins with a spread and goes on with properties of its own: V8 takes 1 us for each of them.
 */
export type Draft<Value> = { -readonly [Name in keyof Value]: Value[Name] };

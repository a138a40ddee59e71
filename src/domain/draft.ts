/**
 * A value while it is put together: what may be absent is set where it is there. On an alert's way no
 * literal begins with a spread and has properties of its own besides, in it or after it: V8 makes a hidden
 * class for each such property of each copy, at 1 us and 400 bytes. `Object.assign({}, value)` may be added to.
 */
export type Draft<Value> = { -readonly [Name in keyof Value]: Value[Name] };

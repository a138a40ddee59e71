/** A value while it is put together: what may be absent is set where it is there. */
export type Draft<Value> = { -readonly [Name in keyof Value]: Value[Name] };

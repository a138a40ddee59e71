/** A body that lacks something, or has it in another form than the documents say: a 400. */
export class MalformedError extends Error {
  override readonly name = "MalformedError";
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of a body. What is `null` counts as absent. */
export class Body {
  readonly fields: Fields;

  constructor(fields: Fields) {
    this.fields = fields;
  }

  static parse(text: string): Body {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new MalformedError("The body is no object");
    }
    return new Body(value as Fields);
  }

  integer(name: string): number {
    const value = this.optionalInteger(name);
    if (value === undefined) throw new MalformedError(`The ${name} field is required.`);
    return value;
  }

  optionalInteger(name: string): number | undefined {
    const value = this.optionalNumber(name);
    if (value === undefined || Number.isSafeInteger(value)) return value;
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }

  optionalNumber(name: string): number | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || typeof value === "number") return value;
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw new MalformedError(`The ${name} field is required.`);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || typeof value === "string") return value;
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }

  flag(name: string): boolean {
    const value = this.fields[name] ?? false;
    if (typeof value === "boolean") return value;
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }

  /** Unix ms of an ISO time. */
  optionalInstant(name: string): number | undefined {
    const text = this.optionalText(name);
    if (text === undefined) return undefined;
    const at = Date.parse(text);
    if (Number.isNaN(at)) {
      throw new MalformedError(`The JSON value could not be converted: ${name}`);
    }
    return at;
  }

  instant(name: string): number {
    const at = this.optionalInstant(name);
    if (at === undefined) throw new MalformedError(`The ${name} field is required.`);
    return at;
  }

  object(name: string): Body | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === "object" && !Array.isArray(value)) return new Body(value as Fields);
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || Array.isArray(value)) return value;
    throw new MalformedError(`The JSON value could not be converted: ${name}`);
  }
}

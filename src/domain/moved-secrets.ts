/** A setting that says where a secret is sent, and that secret. */
export type SentTo = readonly [place: string, secret: string];

/**
 * A secret goes nowhere else than where it was given for: the secrets that a change has to bring along,
 * because it would send them elsewhere, as problems below `settings`.
 */
export function secretsLeftBehind(
  sentTo: readonly SentTo[],
  kept: {
    readonly settings: Readonly<Record<string, unknown>>;
    readonly secrets: readonly string[];
  },
  change: Readonly<Record<string, unknown>>,
): readonly { readonly path: string; readonly message: string }[] {
  const moved = sentTo.filter(
    ([place, secret]) =>
      change[place] !== undefined &&
      (change[place] ?? undefined) !== kept.settings[place] &&
      kept.secrets.includes(secret) &&
      change[secret] === undefined,
  );
  return [...new Set(moved.map(([, secret]) => secret))].map((secret) => ({
    path: `settings.${secret}`,
    message: "has to be given again where it is to be sent elsewhere",
  }));
}

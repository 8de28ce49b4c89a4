/** The forms of a text that counts something, by the plural categories of CLDR; `{n}` is the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & Record<"other", string>>

/** What a translation has to bring: the same keys, each a text or the forms of one. */
export type Shape<A> = A extends string
  ? string
  : A extends { readonly other: string }
    ? PluralForms
    : { readonly [K in keyof A]: Shape<A[K]> }

/** Searches by text indexes, which are of trigrams. */

/** Whether the text determines a trigram. Without one, PostgreSQL reads the whole text index, of all tenants. */
export const hasTrigram = (text: string) =>
  /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)

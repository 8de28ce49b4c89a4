/** A LIKE pattern over lower-case text that matches the given text anywhere, with wildcards escaped. */
export const likePattern = (part: string) => `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

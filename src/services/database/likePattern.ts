/** A pattern for LIKE over lower-case text: what the caller typed, wherever it stands, wildcards taken as they are. */
export const likePattern = (part: string) => `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

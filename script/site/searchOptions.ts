/** How the sections are indexed: the build and the pages use the same. */
export const searchOptions = {
  idField: "address",
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "address"],
  // a name like `hold_ttl_seconds` is found whole and by its words
  tokenize: (text: string) =>
    [...text.split(/[^\p{L}\p{N}_]+/u), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word !== ""),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 3 }, combineWith: "AND" as const }
}

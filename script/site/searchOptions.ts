/** The index options, shared by the build and the pages. */
export const searchOptions = {
  idField: "address",
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "address"],
  // a name like `hold_ttl_seconds` is found as a whole and by its words
  tokenize: (text: string) =>
    [...text.split(/[^\p{L}\p{N}_]+/u), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word !== ""),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 3 }, combineWith: "AND" as const }
}

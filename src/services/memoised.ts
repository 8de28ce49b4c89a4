/** Computed on first use: after start, when lists that capabilities add to are complete. */
export const memoised = <A>(make: () => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

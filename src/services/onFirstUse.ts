/** A value that is made when it is first asked for: what few requests need would cost each start time and memory. */
export const onFirstUse = <A>(make: () => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

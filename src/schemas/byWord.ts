/**
 * A table that is read by words of others: formats, codes, types, names. It inherits nothing, so that `constructor` and `__proto__` are not in
 * it. `bun run check:project` allows no other literal of a type such as `Record<string, …>`.
 */
export const byWord = <A>(entries: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.assign(Object.create(null) as Record<string, A>, entries) // the cast: no entries yet

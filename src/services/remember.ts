/** What a process remembers, to ask the database or another system less often. */

/** Entries of one memory; when it is full it begins anew. */
const ENTRIES = 10_000

export const remember = <Key, Value>(known: Map<Key, Value>, key: Key, value: Value) => {
  if (known.size >= ENTRIES) known.clear()
  known.set(key, value)
}

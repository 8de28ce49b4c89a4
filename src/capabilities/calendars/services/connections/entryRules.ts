/** What is to be done about an entry in a doctor's calendar, and what follows from the provider's answer. Pure. Rule 3.15.4. */

export interface EntryState {
  /** False: it is to be removed. */
  readonly wanted: boolean
  /** Of what is wanted; 0 of nothing. */
  readonly version: number
  /** Of what stands there. */
  readonly done_version: number
  /** A creation was begun whose answer is not known. */
  readonly begun: boolean
  /** The provider's identifier. */
  readonly entry_id: string | null
  /** The doctor removed it there. */
  readonly missing: boolean
}

/** `look`: for an entry with our key. `forget`: nothing stands there, and nothing is to. */
export type Step = "nothing" | "look" | "create" | "change" | "remove" | "forget"

export const stepOf = ({ wanted, version, done_version, begun, entry_id, missing }: EntryState): Step => {
  if (wanted && (missing || version === done_version)) return "nothing"
  if (entry_id !== null) return wanted ? "change" : "remove"
  if (begun) return "look"
  return wanted ? "create" : "forget"
}

/** The state after a step; `id`: of the entry that stands there, null: there is none. Null: the entry is over. */
export const after = (state: EntryState, step: Exclude<Step, "nothing">, id: string | null): EntryState | null => {
  if (step === "remove" || step === "forget") return null
  if (step === "look") return { ...state, entry_id: id, begun: id !== null }
  const found = { ...state, begun: false, entry_id: id ?? state.entry_id }
  // a change of an entry that is no longer there: its doctor removed it
  return id === null ? { ...found, missing: true } : { ...found, done_version: state.version }
}

/** What a reading says of an entry that stands there as wanted; null: nothing new. */
export const differenceOf = (
  own: { readonly start_date: number; readonly moved_to: number | null },
  there: { readonly start: number } | undefined
): { readonly missing: boolean; readonly moved_to: number | null } | null => {
  if (there === undefined) return { missing: true, moved_to: null }
  const moved_to = there.start === own.start_date ? null : there.start
  return moved_to === own.moved_to ? null : { missing: false, moved_to }
}

/** How an entry is shown, and the order in which several of one appointment count. */
export const entryStates = ["failing", "missing", "waiting", "written", "none"] as const
export type EntryShown = (typeof entryStates)[number]
/** Seconds after which what waits is failing. */
const FAILING_AFTER = 3_600

export const shownOf = (
  { missing, waiting_since }: { readonly missing: boolean; readonly waiting_since: number | null },
  now: number
): EntryShown => {
  if (missing) return "missing"
  if (waiting_since === null) return "written"
  return now - waiting_since >= FAILING_AFTER ? "failing" : "waiting"
}

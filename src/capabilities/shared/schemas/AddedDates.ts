/** Dates that belong to an appointment, for its page: a folded list. */
export interface AddedDates {
  readonly title: string
  /** What unfolding it shows. */
  readonly more: string
  readonly dates: ReadonlyArray<{
    /** Unix seconds. */
    readonly start_date: number
    /** It does not take place. */
    readonly gone: boolean
    /** Text beside it; null: none. */
    readonly note: string | null
  }>
}

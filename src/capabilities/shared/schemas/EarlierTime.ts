/** An earlier time for a booked appointment, as its page offers it. The texts are of the capability that finds it. */
export interface EarlierTime {
  /** the patient has asked for one */
  readonly isWaiting: boolean
  readonly texts: Readonly<Record<"title" | "text" | "submit" | "waiting" | "leave", string>>
}

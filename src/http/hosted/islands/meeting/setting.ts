/** What the meeting page is given, and where its person can be. */
export interface Setting {
  readonly role: "patient" | "doctor"
  /** the socket's address for a token and one stay in the room */
  readonly address: (token: string, session: string) => string
  /** the join token of this page's address */
  readonly token: string
  readonly room: string
}

/** Where this person is: looking into the mirror, in the room, or out of it again. */
export type Phase = "lobby" | "inside" | Ending

/** How one came out of the room: by oneself, by the doctor, by another window, or because the link opens nothing. */
export type Ending = "left" | "dismissed" | "replaced" | "refused"

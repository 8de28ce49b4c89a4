/** What the service gives the meeting page. */
export interface Setting {
  readonly role: "patient" | "doctor"
  /** the socket's address for a token and a session (see `newSession`) */
  readonly address: (token: string, session: string) => string
  /** the join token of this page's address */
  readonly token: string
  readonly room: string
}

/** What the page shows: the device check, the waiting room or call, or how the meeting ended. */
export type Phase = "lobby" | "inside" | Ending

/** How the meeting ended: left, ended by the doctor, opened in another window, or the token was refused. */
export type Ending = "left" | "dismissed" | "replaced" | "refused"

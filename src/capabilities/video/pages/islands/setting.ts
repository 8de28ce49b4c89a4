/** The data that the service passes to the meeting page. */
export interface Setting {
  readonly role: "patient" | "doctor" | "guest"
  /** several patients share the room: a patient may choose a name, the doctor talks with one after the other */
  readonly group: boolean
  /** the socket's URL for a token and a session (see `newSession`) */
  readonly address: (token: string, session: string) => string
  /** the join token of this page's URL */
  readonly token: string
  readonly room: string
  /** Another token, or how the appointment ended; null: not offered. */
  readonly renew: (() => Promise<Renewed>) | null
}

export type Renewed = { readonly token: string } | { readonly ending: "cancelled" | "over" | "refused" }

/** The stage of the page: the device check, the waiting room or call, or how the meeting ended. */
export type Phase = "lobby" | "inside" | Ending

/** How the meeting ended: left, ended by the doctor, opened in another window, the appointment cancelled or over, or the token rejected. */
export type Ending = "left" | "dismissed" | "replaced" | "cancelled" | "over" | "refused"

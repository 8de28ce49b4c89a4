import type { MeetingTexts } from "../../texts/meeting.ts"

/** The data that the script needs for a call. */
export interface MeetingPageData {
  /** URL of the signalling socket, `ws:` or `wss:`, without the token */
  readonly socket: string
  readonly role: "patient" | "doctor" | "guest"
  /** whether other patients share the room, so that the patient may choose a name */
  readonly group: boolean
  /** the appointment's page or an allowed return URL; null: the previous page */
  readonly return_url: string | null
  /** with which the guest enters, however long the device check takes; null: the page was opened too late */
  readonly token: string | null
  /** URL that gives a patient another token, or says why there is none; null: not offered */
  readonly renewal: string | null
  readonly texts: MeetingTexts
}

/** The root element of the meeting; without JavaScript it says that JavaScript is needed. */
export const MeetingPage = ({ data }: { readonly data: MeetingPageData }) => (
  <div
    id="meeting"
    class="meeting"
    data-socket={data.socket}
    data-role={data.role}
    data-group={data.group ? "" : undefined}
    data-texts={JSON.stringify(data.texts)}
    data-token={data.token ?? undefined}
    data-renewal={data.renewal ?? undefined}
    data-return-url={data.return_url ?? undefined}
  >
    <div class="card">
      <h1>{data.texts.title}</h1>
      <noscript>
        <p class="notice warn">{data.texts.scriptNeeded}</p>
      </noscript>
      <p class="waiting-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
    </div>
  </div>
)

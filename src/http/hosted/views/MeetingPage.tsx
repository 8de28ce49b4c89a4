import { frameTexts } from "../texts/frame.ts"
import type { Language } from "../texts/language.ts"
import { meetingTexts } from "../texts/meeting.ts"

/** What the island needs to hold a call. */
export interface MeetingPageData {
  /** address of the signalling socket, `ws:` or `wss:`, without the token */
  readonly socket: string
  readonly role: "patient" | "doctor"
  /** an allowed address to return to; null: the previous page */
  readonly return_url: string | null
}

/** The ground on which the meeting's island builds; tells those without JavaScript what is missing. */
export const MeetingPage = ({ language, data }: { readonly language: Language; readonly data: MeetingPageData }) => (
  <div
    id="meeting"
    class="meeting"
    data-socket={data.socket}
    data-role={data.role}
    data-return-url={data.return_url ?? undefined}
  >
    <div class="card">
      <h1>{meetingTexts[language].title}</h1>
      <noscript>
        <p class="notice warn">{frameTexts[language].scriptNeeded}</p>
      </noscript>
      <p class="waiting-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
    </div>
  </div>
)

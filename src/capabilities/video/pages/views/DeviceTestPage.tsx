import type { MeetingTexts } from "../../texts/meeting.ts"

export interface DeviceTestData {
  /** TURN servers, as in `RTCPeerConnection`'s configuration */
  readonly iceServers: ReadonlyArray<unknown>
  /** the appointment's page */
  readonly back: string
  readonly texts: MeetingTexts
}

/** The root element of the device test; without JavaScript it says that JavaScript is needed. */
export const DeviceTestPage = ({ data }: { readonly data: DeviceTestData }) => {
  const { texts } = data
  return (
    <div
      id="meeting"
      class="meeting"
      data-test=""
      data-ice-servers={JSON.stringify(data.iceServers)}
      data-back={data.back}
      data-texts={JSON.stringify(texts)}
    >
      <div class="card">
        <h1>{texts.testTitle}</h1>
        <noscript>
          <p class="notice warn">{texts.scriptNeeded}</p>
        </noscript>
        <div class="actions">
          <a class="primary" href={data.back}>
            {texts.testBack}
          </a>
        </div>
      </div>
    </div>
  )
}

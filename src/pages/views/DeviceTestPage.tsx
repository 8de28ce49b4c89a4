import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

interface DeviceTestData {
  /** relays, as `RTCPeerConnection` takes them */
  readonly iceServers: ReadonlyArray<unknown>
  /** the appointment's page */
  readonly back: string
}

/** The element that the meeting island fills with the test of the devices; without JavaScript it says what is missing. */
export const DeviceTestPage = ({ language, data }: { readonly language: Language; readonly data: DeviceTestData }) => {
  const texts = catalogue[language].meeting
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
          <p class="notice warn">{catalogue[language].page.scriptNeeded}</p>
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

import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

export interface DeviceTestData {
  /** TURN servers, as in `RTCPeerConnection`'s configuration */
  readonly iceServers: ReadonlyArray<unknown>
  /** the appointment's page */
  readonly back: string
}

/** The root element of the device test; without JavaScript it says that JavaScript is needed. */
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

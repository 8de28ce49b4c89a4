import type { Consent } from "../../../../schemas/patients/Consent.ts"
import { fill } from "../../../../texts/fill.ts"
import { Ask, Rows, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { useTexts } from "../useTexts.ts"

/** A patient's consents, with buttons to withdraw them. */
export const Consents = ({
  patient,
  consents
}: {
  readonly patient: string
  readonly consents: ReadonlyArray<Consent>
}) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  return (
    <Rows of={consents} empty={{ what: "consents" }}>
      {({ uid, purpose, version, given_at, withdrawn_at }) => (
        <li key={uid}>
          <span class="grow">{`${texts.purposes[purpose]} (${version})`}</span>
          <span class="help">{fill(texts.givenAt, { time: moment(language, zone, given_at) })}</span>
          {withdrawn_at === null ? (
            <Ask
              operation={`POST /v1/management/patients/${patient}/consents/${uid}/withdraw`}
              text={texts.withdraw}
              label={`${texts.withdraw}: ${texts.purposes[purpose]}`}
            />
          ) : (
            <span class="badge">{fill(texts.withdrawn, { time: moment(language, zone, withdrawn_at) })}</span>
          )}
        </li>
      )}
    </Rows>
  )
}

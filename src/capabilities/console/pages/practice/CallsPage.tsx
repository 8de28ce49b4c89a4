/** Who could not be told by a message: to be called, one after the other. Rule 17.6.27. */

import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../../texts/fill.ts"
import { noticeName } from "../../../../texts/notices.ts"
import { Card, PageHead, Press, Rows, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { RecordLink, Subject, useMoment } from "../../../shared/pages/rows.tsx"
import type { SentMessage } from "../../schemas/SentMessage.ts"
import { useTexts } from "../useTexts.ts"

export interface Call {
  readonly message: SentMessage
  readonly appointment: Appointment
  /** The one that was moved; null: none. */
  readonly previous: Appointment | null
  /** As it was entered; null where none is known, or the reader may not see it. */
  readonly phone: string | null
}

interface CallsProps {
  readonly calls: ReadonlyArray<Call>
  readonly page: number
  readonly pages: number
}

export const CallsPage = ({ calls, page, pages }: CallsProps) => {
  const { calls: texts } = useTexts().practice
  const { language } = useDesk()
  const at = useMoment()
  const address = useAddress()
  const visit = (one: Appointment) => `${at(one.start_date)}, ${one.doctor_display_name}`
  return (
    <>
      <PageHead title={texts.title}>
        {calls.length === 0 ? null : (
          <a class="secondary" href={address({ print: 1 })} data-print>
            {texts.print}
          </a>
        )}
      </PageHead>
      <Card id="calls" title={texts.list}>
        <p class="help">{texts.help}</p>
        <Rows of={calls} empty={{ what: "calls" }}>
          {({ message, appointment, previous, phone }) => (
            <li key={message.uid}>
              <Subject
                below={[
                  `${noticeName(message.kind, language)}: ${previous === null ? visit(appointment) : fill(texts.moved, { from: visit(previous), to: visit(appointment) })}`
                ]}
              >
                <RecordLink of="patients" uid={appointment.patient_uid} text={appointment.patient_display_name} />
                {" · "}
                {phone === null ? texts.noPhone : <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{phone}</a>}
              </Subject>
              <Press
                operation={`POST /v1/management/messages/${message.uid}/told`}
                text={texts.told}
                label={`${texts.told}: ${appointment.patient_display_name}, ${at(appointment.start_date)}`}
              />
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
    </>
  )
}

import type { OfferedSlot } from "../days.ts"
import {
  AppointmentTime,
  type BookingSubject,
  type CalendarAddresses,
  Calendars,
  MapLink,
  ReturnLink,
  type ReturnTarget,
  Subject
} from "./bookingParts.tsx"
import { DoctorCard, type DoctorFacts, FactList, type TypeFacts } from "./cards.tsx"
import { fillNodes } from "./fillNodes.tsx"
import { Act, DoneMark, PostForm } from "./forms.tsx"
import { useTexts } from "./pageLanguage.ts"

/** A confirmed appointment, with further links. */
export interface BookingDoneData {
  readonly subject: BookingSubject
  readonly slot: OfferedSlot
  readonly doctor: DoctorFacts | null
  readonly type: TypeFacts | null
  /** the place, unless it is by video */
  readonly place: string | null
  /** names of doctors who take part beside the one booked */
  readonly further: ReadonlyArray<string>
  /** URL of a map of the practice; null: by video, or no address */
  readonly map: string | null
  readonly is_digital: boolean
  /** where the patient prepares for it */
  readonly preparation: { readonly url: string; readonly text: string } | null
  readonly calendars: CalendarAddresses
  /** the partner's return URL */
  readonly back: ReturnTarget | null
  /** the link opens outside of the widget's frame */
  readonly embedded: boolean
  /** the masked e-mail address of the confirmation; null if none is sent */
  readonly mail: string | null
  readonly appointment_uid: string
  /** URL to which the forms that move and cancel are posted; null: not offered */
  readonly manage: string | null
  readonly movable: boolean
}

/** What follows, in at most three lines. */
const WhatNext = ({ data }: { readonly data: BookingDoneData }) => {
  const texts = useTexts().booking
  const { onSiteText } = useTexts().appointment
  return (
    <section>
      <h2>{texts.whatNext}</h2>
      <ol class="what-next">
        {data.mail === null ? null : (
          <li>{fillNodes(texts.mailSent, { address: <bdi class="whole">{data.mail}</bdi> })}</li>
        )}
        {data.preparation === null ? null : (
          <li>
            {/* in a frame the browser grants no camera */}
            <a href={data.preparation.url} {...(data.embedded && { target: "_blank", rel: "noopener" })}>
              {data.preparation.text}
            </a>
          </li>
        )}
        <li>
          {data.is_digital ? texts.doneVideo : onSiteText} <MapLink map={data.map} />
        </li>
      </ol>
    </section>
  )
}

/** Step three: the appointment is confirmed. */
export const BookingDone = ({ data }: { readonly data: BookingDoneData }) => {
  const texts = useTexts().booking
  const { preparation, place, further, cancellationRule } = useTexts().appointment
  const { mode } = data.subject
  return (
    <div class="card">
      <div class="done">
        <DoneMark />
        <h1>{texts.headings[mode].done}</h1>
        <p>{texts.doneText[mode]}</p>
      </div>
      <Subject subject={data.subject} />
      <AppointmentTime
        zone={data.subject.zone}
        start_date={data.slot.start_date}
        end_date={data.slot.end_date}
        doctor_name={data.doctor === null ? data.slot.doctor_name : null}
      />
      {data.doctor === null ? null : <DoctorCard doctor={data.doctor} />}
      <FactList
        facts={[
          [further, data.further.length === 0 ? null : data.further.join(", ")],
          [preparation, data.type?.preparation ?? null],
          [place, data.place],
          [cancellationRule, data.type?.cancellation_rule ?? null]
        ]}
      />
      {data.back === null ? null : (
        <div class="actions">
          <ReturnLink back={data.back} embedded={data.embedded} />
        </div>
      )}
      <WhatNext data={data} />
      <Calendars calendars={data.calendars} />
      {data.manage === null ? null : (
        <PostForm action={data.manage}>
          <p class="help">{data.movable ? texts.manage.help : texts.manage.helpCancel}</p>
          <input type="hidden" name="appointment_uid" value={data.appointment_uid} />
          <div class="actions">
            {data.movable ? <Act does="rebook" look="secondary" text={texts.manage.rebook} /> : null}
            <Act does="cancel" look="quiet" text={texts.manage.cancel} />
          </div>
        </PostForm>
      )}
    </div>
  )
}

import { fill } from "../../texts/fill.ts"
import type { OfferedSlot } from "../days.ts"
import { clockTime, fullDay } from "../time.ts"
import { AppointmentTime, type BookingSubject, Countdown, Steps, Subject } from "./bookingParts.tsx"
import { DoctorCard, type DoctorFacts, FactList, type TypeFacts } from "./cards.tsx"
import { type AskedConsent, ConsentBoxes } from "./consents.tsx"
import { fillNodes } from "./fillNodes.tsx"
import { OnlyAct, PostForm, Unreachable } from "./forms.tsx"
import { ArrowIcon } from "./icons.tsx"
import { type MissingField, MissingProfile } from "./MissingProfile.tsx"
import { useLanguage, useTexts } from "./pageLanguage.ts"

/** A held time, with the form to confirm it. */
export interface BookingDetailsData {
  readonly subject: BookingSubject
  readonly slot: OfferedSlot
  readonly doctor: DoctorFacts | null
  readonly type: TypeFacts | null
  readonly hold_uid: string
  /** URL to which the confirmation is posted */
  readonly action: string
  /** remaining seconds of the hold; 0 if it has expired */
  readonly remaining: number
  readonly ttl_seconds: number
  readonly visit_reason: string | null
  /** reminders state the reason */
  readonly reasonInMessages: boolean
  /** profile fields that the partner sent in a form that cannot be used */
  readonly missing: ReadonlyArray<MissingField>
  /** the consents to give, and whether a required one was missing */
  readonly consents: ReadonlyArray<AskedConsent>
  readonly unagreed: boolean
  /** the values of the boxes that were ticked before */
  readonly agreed: ReadonlyArray<string>
  readonly current: OfferedSlot | null
  /** other appointments of the patient at this time; the form that moves one posts to `manage` */
  readonly overlapping: ReadonlyArray<OverlappingAppointment>
  readonly manage: string
}

export interface OverlappingAppointment extends OfferedSlot {
  readonly uid: string
  readonly movable: boolean
}

/** Step two: the selection, the remaining time of the hold, the reason, and the confirm button. */
export const BookingDetails = ({ data }: { readonly data: BookingDetailsData }) => {
  const language = useLanguage()
  const texts = useTexts().booking
  const { subject, slot, current } = data
  const over = data.remaining <= 0
  return (
    <div class="card">
      <Steps at="details" />
      <h1>{texts.headings[subject.mode].details}</h1>
      {data.missing.some(({ faulty }) => faulty) ? (
        <p class="notice warn" role="alert" tabindex={-1}>
          {useTexts().person.invalid}
        </p>
      ) : null}
      {data.unagreed ? (
        <p class="notice warn" role="alert" tabindex={-1}>
          {useTexts().consent.missing}
        </p>
      ) : null}
      <Subject subject={subject} />
      <AppointmentTime
        zone={subject.zone}
        start_date={slot.start_date}
        end_date={slot.end_date}
        doctor_name={data.doctor === null ? slot.doctor_name : null}
      />
      {data.doctor === null ? null : <DoctorCard doctor={data.doctor} />}
      <FactList
        facts={[
          [useTexts().appointment.price, data.type?.price ?? null],
          [useTexts().appointment.cancellationRule, data.type?.cancellation_rule ?? null]
        ]}
      />
      {current === null ? null : (
        <p class="notice">
          {texts.replaces} {fullDay(language, subject.zone, current.start_date)},{" "}
          {clockTime(language, subject.zone, current.start_date)}, {fill(texts.with, { doctor: current.doctor_name })}.
        </p>
      )}
      {data.overlapping.map((other) => (
        <PostForm key={other.uid} action={data.manage} class="notice warn stack">
          <p>
            {fill(texts.overlap, {
              day: fullDay(language, subject.zone, other.start_date),
              time: clockTime(language, subject.zone, other.start_date),
              doctor: other.doctor_name
            })}
          </p>
          <input type="hidden" name="appointment_uid" value={other.uid} />
          {other.movable ? <OnlyAct does="rebook" look="secondary" text={texts.overlapMove} /> : null}
        </PostForm>
      ))}
      <div class="held" data-remaining={data.remaining}>
        <p class="held-for" hidden={over}>
          {fillNodes(texts.heldFor, { countdown: <Countdown seconds={data.remaining} /> })}
          <progress aria-hidden="true" max={data.ttl_seconds} value={data.remaining} />
        </p>
        <p class="notice warn" data-over hidden={!over}>
          {texts.heldOver}
        </p>
        <p class="unseen" role="status" data-announce={texts.heldAlmostOver} data-announce-over={texts.heldOver} />
      </div>
      <form method="post" action={data.action} class="stack">
        <input type="hidden" name="hold_uid" value={data.hold_uid} />
        <input type="hidden" name="zone" value={subject.zone} />
        <div class="field">
          <label for="visit_reason">{texts.reasonLabel}</label>
          <textarea
            id="visit_reason"
            name="visit_reason"
            rows={4}
            maxlength={2000}
            aria-describedby="visit_reason_help visit_reason_left"
            data-left={texts.charactersLeft}
            value={data.visit_reason ?? ""}
          />
          <p id="visit_reason_help" class="help">
            {texts.reasonHelp} {data.reasonInMessages ? texts.reasonInMessages : null}
          </p>
          <p id="visit_reason_left" class="help" data-characters hidden />
        </div>
        <MissingProfile missing={data.missing} />
        <ConsentBoxes asked={data.consents} agreed={data.agreed} />
        <Unreachable />
        <div class="actions">
          <button type="submit" class="primary">
            {texts.confirm[subject.mode]}
            <ArrowIcon />
          </button>
          <button type="submit" class="quiet" name="step" value="times" formnovalidate>
            {texts.otherTime}
          </button>
        </div>
      </form>
    </div>
  )
}

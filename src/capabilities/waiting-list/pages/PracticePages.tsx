import { fill, plural } from "../../../texts/fill.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import {
  Card,
  Do,
  Field,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk,
  useFormValues,
  useTexts,
  YesNoField
} from "../../shared/pages/Desk.tsx"
import { calendarDate, clockOf, moment } from "../../shared/pages/format.ts"
import { Pager } from "../../shared/pages/Pager.tsx"
import { BoxesField, type Choices, RecordLink, Subject } from "../../shared/pages/rows.tsx"
import { useWeekdays } from "../../shared/pages/weekdays.ts"
import { dayIn } from "../../shared/pages/zoned.ts"
import { waitlistOf } from "../schemas/addedFields.ts"
import type { EntryOffer, EntryOffers, WaitlistEntry } from "../schemas/Waitlist.ts"
import { deskTextsOf } from "../texts/desk.ts"

const useOwnTexts = () => deskTextsOf(useDesk().language)

const ENTRIES = "/v1/management/scheduling/waitlist-entries"

type Names = ReadonlyMap<string, string>

export const isLive = ({ status }: WaitlistEntry) => status === "waiting" || status === "offered" || status === "paused"

/** Of an appointment type: whether patients may wait for it. */
export const TypeField = ({ one }: AddedCardProps["typeFields"]) => (
  <YesNoField
    label={useOwnTexts().ofType}
    name="waitlist"
    value={(one === null ? null : waitlistOf(one).waitlist) ?? true}
  />
)

/** What an entry waits for, in words. */
const useWish = (names: Names) => {
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const weekdays = useWeekdays()
  return (entry: WaitlistEntry) => [
    names.get(entry.appointment_type_uid),
    ...entry.doctor_uids.map((uid) => names.get(uid)),
    fill(texts.from, { day: calendarDate(language, dayIn(entry.from, zone)) }),
    fill(texts.until, { day: calendarDate(language, dayIn(entry.to - 1, zone)) }),
    entry.weekdays.map((day) => weekdays[day]?.[1]).join(", "),
    entry.times.length === 0
      ? texts.anyTime
      : entry.times.map(({ from, to }) => `${clockOf(from)}–${clockOf(to)}`).join(", ")
  ]
}

/** The need and its reason. */
const NeedForm = ({ entry, name }: { readonly entry: WaitlistEntry; readonly name: string }) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const operation = `PATCH ${ENTRIES}/${entry.uid}`
  return (
    <Do operation={operation} label={`${texts.need}: ${name}`}>
      <Field label={texts.need} name="need" value={entry.need} options={Object.entries(texts.needs)} />
      <Field label={texts.needReason} name="need_reason" value={entry.need_reason} required />
      <Submit text={frame.save} look="secondary" />
    </Do>
  )
}

/** Pausing, going on, and taking off the list, which asks first. */
const EntrySteps = ({ entry, name }: { readonly entry: WaitlistEntry; readonly name: string }) => {
  const texts = useOwnTexts()
  const operation = `PATCH ${ENTRIES}/${entry.uid}`
  const isPaused = entry.status === "paused"
  const step = isPaused ? texts.goOn : texts.pause
  return (
    <>
      <Press
        operation={operation}
        hidden={{ status: isPaused ? "waiting" : "paused" }}
        text={step}
        label={`${step}: ${name}`}
      />
      <details>
        <summary aria-label={`${texts.end}: ${name}`}>{texts.end}</summary>
        <p>{fill(texts.endQuestion, { name })}</p>
        <Press operation={operation} hidden={{ status: "ended" }} text={texts.end} label={`${texts.end}: ${name}`} />
      </details>
    </>
  )
}

interface WaitlistProps {
  readonly entries: ReadonlyArray<WaitlistEntry>
  readonly filter: { readonly status: string; readonly need: string; readonly type: string }
  readonly page: number
  readonly pages: number
  readonly types: Choices
  /** Names of patients, types and doctors by uid. */
  readonly names: Names
  readonly isPaused: boolean
}

/** Who waits, by age, with filters; the list as a whole can be stopped. */
export const WaitlistPage = ({ entries, filter, page, pages, types, names, isPaused }: WaitlistProps) => {
  const { words } = useTexts()
  const texts = useOwnTexts()
  const { language, zone, isOwner } = useDesk()
  const address = useAddress()
  const wishOf = useWish(names)
  const all = [["", texts.all]] as const
  return (
    <>
      <PageHead title={texts.title}>
        {isOwner ? (
          <Press
            operation="PATCH /v1/management/organisation"
            hidden={{ waitlist_paused: String(!isPaused) }}
            text={isPaused ? texts.goOnAll : texts.pauseAll}
          />
        ) : null}
      </PageHead>
      {isPaused ? <p class="notice warn">{texts.pausedAll}</p> : null}
      <form class="card" action={address({}).split("?")[0]}>
        <div class="entries">
          <Field
            label={texts.filter}
            name="status"
            value={filter.status}
            options={[["open", texts.open], ...Object.entries(texts.statuses), ["all", texts.all]]}
          />
          <Field
            label={texts.need}
            name="need"
            value={filter.need}
            options={[...all, ...Object.entries(texts.needs)]}
          />
          <Field label={words.type} name="type" value={filter.type} options={[...all, ...types]} />
          <Submit text={words.apply} look="secondary" />
        </div>
      </form>
      <Card id="entries" title={texts.title}>
        <p class="help">{texts.order}</p>
        <Rows
          of={entries}
          empty={
            filter.status === "open" && filter.need === "" && filter.type === ""
              ? { what: { name: "waitlist", ...texts.empty }, to: "/console/practice/patients" }
              : { what: "filtered", to: "/console/practice/waitlist" }
          }
        >
          {(entry) => {
            const name = names.get(entry.patient_uid) ?? entry.patient_uid
            return (
              <li key={entry.uid}>
                <Subject
                  below={[
                    [fill(texts.since, { time: moment(language, zone, entry.created_at) }), ...wishOf(entry)]
                      .filter(Boolean)
                      .join(" · ")
                  ]}
                >
                  <RecordLink of="waitlist" uid={entry.uid} text={name} />
                </Subject>
                {entry.need === "routine" ? null : (
                  <span class={entry.need === "urgent" ? "badge warn" : "badge"}>{texts.needs[entry.need]}</span>
                )}
                <span class="badge">{texts.statuses[entry.status]}</span>
                <span class="help">{plural(language, texts.offersMade, entry.offers_made)}</span>
                {isLive(entry) ? <EntrySteps entry={entry} name={name} /> : null}
              </li>
            )
          }}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
    </>
  )
}

interface EntryProps {
  readonly entry: WaitlistEntry
  readonly offers: EntryOffers
  readonly names: Names
}

const OfferRow = ({ one, names }: { readonly one: EntryOffer; readonly names: Names }) => {
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const at = one.status === "offered" ? one.expires_at : (one.answered_at ?? one.expires_at)
  return (
    <li>
      <Subject below={[names.get(one.doctor_uid)]}>
        {one.appointment_uid === null ? (
          moment(language, zone, one.start_date)
        ) : (
          <RecordLink of="appointments" uid={one.appointment_uid} text={moment(language, zone, one.start_date)} />
        )}
      </Subject>
      <span class="badge">{fill(texts.offerStatuses[one.status], { time: moment(language, zone, at) })}</span>
    </li>
  )
}

/** One entry: its need, its offers and their answers, and why others were asked before it. */
export const WaitlistEntryPage = ({ entry, offers, names }: EntryProps) => {
  const { words } = useTexts()
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const name = names.get(entry.patient_uid) ?? entry.patient_uid
  const wishOf = useWish(names)
  return (
    <>
      <PageHead title={`${texts.title}: ${name}`}>
        <span class="badge">{texts.statuses[entry.status]}</span>
        <a class="quiet" href="/console/practice/waitlist">
          {texts.title}
        </a>
      </PageHead>
      <div class="board">
        <Card id="entry" title={words.details}>
          <p>
            <RecordLink of="patients" uid={entry.patient_uid} text={name} />
            <br />
            {fill(texts.since, { time: moment(language, zone, entry.created_at) })}
          </p>
          <p class="help">{wishOf(entry).filter(Boolean).join(" · ")}</p>
          {isLive(entry) ? (
            <>
              <NeedForm entry={entry} name={name} />
              <p class="actions">
                <EntrySteps entry={entry} name={name} />
              </p>
            </>
          ) : (
            <p>{[texts.needs[entry.need], entry.need_reason].filter(Boolean).join(": ")}</p>
          )}
        </Card>
        <Card id="offers" title={texts.offers}>
          {offers.offers.length === 0 ? <p class="help">{texts.noOffers}</p> : null}
          <ul class="rows">
            {offers.offers.map((one) => (
              <OfferRow key={one.uid} one={one} names={names} />
            ))}
          </ul>
        </Card>
        <Card id="why" title={texts.why}>
          <p class="help">{texts.order}</p>
          {offers.passed_over.length === 0 ? <p class="help">{texts.whyNone}</p> : null}
          <ul class="rows">
            {offers.passed_over.map((one) => (
              <li key={`${one.start_date} ${one.waitlist_entry_uid}`}>
                <RecordLink
                  of="waitlist"
                  uid={one.waitlist_entry_uid}
                  class="grow"
                  text={[moment(language, zone, one.start_date), names.get(one.doctor_uid)].filter(Boolean).join(" · ")}
                />
                <span class="help">{texts.because[one.because]}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

/** Minutes of the day of its parts. */
const minutes = [
  ["morning", "0-720"],
  ["afternoon", "720-1020"],
  ["evening", "1020-1440"]
] as const

/** The patient's entries that are not over, on the page of the patient. */
export const PatientsEntries = ({
  entries,
  names
}: {
  readonly entries: ReadonlyArray<WaitlistEntry>
  readonly names: Names
}) => {
  const texts = useOwnTexts()
  const wishOf = useWish(names)
  const { language, zone } = useDesk()
  return (
    <Card id="waits" title={texts.title}>
      <ul class="rows">
        {entries.map((entry) => (
          <li key={entry.uid}>
            <Subject below={[wishOf(entry).filter(Boolean).join(" · ")]}>
              <RecordLink
                of="waitlist"
                uid={entry.uid}
                text={fill(texts.since, { time: moment(language, zone, entry.created_at) })}
              />
            </Subject>
            <span class="badge">{texts.statuses[entry.status]}</span>
            <EntrySteps entry={entry} name={names.get(entry.appointment_type_uid) ?? ""} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The day and the part of it for which free times were searched, as wishes. */
const useSearched = () => {
  const query = new URLSearchParams(useDesk().address.split("?")[1] ?? "")
  const day = Date.parse(`${query.get("day")}T12:00Z`)
  const range = minutes.find(([part]) => part === query.get("part"))?.[1]
  return { weekday: Number.isNaN(day) ? undefined : (new Date(day).getUTCDay() + 6) % 7, range }
}

/** An entry by telephone: one press, with what the caller wishes. */
export const WaitlistCard = ({
  patient_uid,
  types,
  doctors,
  appointment_type_uid: type
}: AddedCardProps["patient"]) => {
  const { words } = useTexts()
  const texts = useOwnTexts()
  const weekdays = useWeekdays()
  const operation = `POST ${ENTRIES}`
  const { weekday, range } = useSearched()
  const typed = useFormValues(operation)
  return (
    <Card id="waitlist" title={texts.add}>
      <p class="help">{texts.addHelp}</p>
      <Do operation={operation} hidden={{ patient_uid }} label={texts.add}>
        <div class="entries">
          <Field label={words.type} name="appointment_type_uid" value={type} options={types} />
          <Field label={words.doctor} name="doctor_uids" options={[["", words.everybody], ...doctors]} />
          <Field label={texts.need} name="need" value="routine" options={Object.entries(texts.needs)} />
          <Field label={texts.needReason} name="need_reason" value={typed("need_reason", "")} />
        </div>
        <details open={weekday !== undefined || range !== undefined}>
          <summary>{`${texts.weekdays}, ${texts.part}`}</summary>
          <BoxesField
            legend={texts.weekdays}
            name="weekdays"
            of={weekdays}
            isTicked={(one) => String(one) === String(weekday)}
          />
          <BoxesField
            legend={texts.part}
            name="times@ranges"
            of={minutes.map(([part, range]) => [range, words.parts[part]])}
            isTicked={(one) => one === range}
          />
        </details>
        <Submit text={texts.add} look="secondary" />
      </Do>
    </Card>
  )
}

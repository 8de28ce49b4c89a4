import { Struct } from "effect"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Do, Field, Press, Rows, Submit, useDesk, useTexts, YesNoField } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import { Subject } from "../../shared/pages/rows.tsx"
import { type BusySource, readingFaults, readingNotices } from "../schemas/BusySource.ts"
import { deskTextsOf } from "../texts/desk.ts"

/** The texts of these pages. */
export const useOwnTexts = () => deskTextsOf(useDesk().language)

const SourceFields = ({ one }: { readonly one: BusySource | null }) => {
  const texts = useOwnTexts()
  return (
    <div class="entries">
      {one === null ? <Field label={texts.kind} name="kind" options={Object.entries(texts.kinds)} value="ics" /> : null}
      <Field label={texts.name} name="name" value={one?.name} placeholder={texts.nameExample} required />
      <Field label={texts.url} name="url" type="url" value={one?.url} required />
      <Field label={texts.username} name="username" value={one?.username} />
      <Field
        label={texts.password}
        name="password@kept"
        type="password"
        help={one === null ? undefined : texts.passwordKept}
      />
      <YesNoField label={texts.allDay} name="all_day_blocks" value={one?.all_day_blocks ?? true} />
      <Field
        label={texts.stale}
        name="when_stale"
        options={Object.entries(texts.stales)}
        value={one?.when_stale ?? "keep"}
      />
      {one === null ? null : <YesNoField label={texts.active} name="active" value={one.active} />}
    </div>
  )
}

/** What a stored sentence stands for, in the page's words. */
export const faultIn = <Fault extends string>(
  sentences: Readonly<Record<Fault, string>>,
  texts: Readonly<Record<Fault, string>>,
  sentence: string | null
) => {
  const found = Struct.keys(sentences).find((fault) => sentences[fault] === sentence)
  return found && texts[found]
}
const useFault = () => {
  const texts = useOwnTexts()
  const { language } = useDesk()
  return ({ last_error, skipped_events }: BusySource) => {
    if (last_error === null) return null
    const { skipped, zone } = readingNotices
    const detailAfter = (notice: string) => ({ detail: last_error.slice(notice.length + 2) })
    if (last_error.startsWith(skipped))
      return fill(plural(language, texts.notices.skipped, skipped_events), detailAfter(skipped))
    if (last_error.startsWith(zone)) return fill(texts.notices.zone, detailAfter(zone))
    return faultIn(readingFaults, texts.faults, last_error)
  }
}

const SourceRow = ({ path, one }: { readonly path: string; readonly one: BusySource }) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const faultOf = useFault()
  const own = `${path}/${one.uid}`
  return (
    <li key={one.uid} data-pending={one.active && one.status === "waiting" ? "" : undefined}>
      <Subject
        below={[
          ...(one.last_success_at === null
            ? [texts.never]
            : [
                fill(texts.read, { time: moment(language, zone, one.last_success_at) }),
                fill(plural(language, texts.found, one.events), { days: String(one.all_day_events) })
              ]),
          one.active ? faultOf(one) : null
        ]}
      >
        <strong>{one.name}</strong>
      </Subject>
      <span class={one.active && one.status !== "failing" ? "badge" : "badge warn"}>
        {one.active ? texts.statuses[one.status] : texts.off}
      </span>
      {one.active ? (
        <Press operation={`POST ${own}/refresh`} text={texts.test} label={`${texts.test}: ${one.name}`} />
      ) : null}
      <details>
        <summary aria-label={`${texts.change}: ${one.name}`}>{texts.change}</summary>
        <Do operation={`PATCH ${own}`} label={one.name}>
          <SourceFields one={one} />
          <Submit text={frame.save} look="secondary" />
        </Do>
        <p>{fill(texts.removeQuestion, { name: one.name })}</p>
        <Press operation={`DELETE ${own}`} text={texts.remove} label={`${texts.remove}: ${one.name}`} look="quiet" />
      </details>
    </li>
  )
}

interface BusyCalendarsProps {
  /** Path of the sources, e.g. `/v1/doctor/busy-sources`. */
  readonly path: string
  readonly sources: ReadonlyArray<BusySource>
}

/** Calendars kept elsewhere, what was read from them, and a form for another one. */
export const BusyCalendars = ({ path, sources }: BusyCalendarsProps) => {
  const texts = useOwnTexts()
  const create = `POST ${path}`
  return (
    <Card id="busy" title={texts.in}>
      <p class="help">{texts.intro}</p>
      <Rows of={sources} empty={{ what: { name: "busy", text: texts.empty } }}>
        {(one) => <SourceRow key={one.uid} path={path} one={one} />}
      </Rows>
      <details open={sources.length === 0}>
        <summary>{texts.new}</summary>
        <Do operation={create} label={texts.new}>
          <SourceFields one={null} />
          <p class="help">{texts.urlHelp}</p>
          <Submit text={texts.add} />
        </Do>
      </details>
    </Card>
  )
}

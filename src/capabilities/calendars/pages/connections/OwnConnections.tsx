import { fill } from "../../../../texts/fill.ts"
import {
  Ask,
  Card,
  Do,
  Field,
  Hidden,
  Press,
  Rows,
  Submit,
  useDesk,
  useTexts,
  YesNoField
} from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Subject } from "../../../shared/pages/rows.tsx"
import {
  type CalendarConnection,
  connectionFaults,
  type DifferingEntry,
  type OfferedProvider
} from "../../schemas/connections/CalendarConnection.ts"
import { faultIn, useOwnTexts } from "../BusyCalendars.tsx"

const useConnectionTexts = () => useOwnTexts().own

interface RowProps {
  readonly one: CalendarConnection
  /** Of the connections; undefined: it can only be read. */
  readonly path?: string
  readonly isNew?: boolean
}
const ConnectionRow = ({ one, path, isNew = false }: RowProps) => {
  const { frame } = useTexts()
  const texts = useConnectionTexts()
  const { language, zone } = useDesk()
  const name = `${texts.providers[one.provider]} ${one.account}`.trim()
  const isWritten = one.calendars.some(({ writes }) => writes)
  return (
    <li data-pending={one.status === "waiting" ? "" : undefined}>
      <Subject
        below={[
          ...one.calendars.flatMap(({ name, reads, writes }) =>
            reads || writes
              ? fill(texts.chosen, {
                  name,
                  what: reads && writes ? texts.both : writes ? texts.writtenOnly : texts.readOnly
                })
              : []
          ),
          one.last_write_at === null ? null : fill(texts.written, { time: moment(language, zone, one.last_write_at) }),
          faultIn(connectionFaults, texts.faults, one.last_error)
        ]}
      >
        <strong>{name}</strong>
      </Subject>
      <span class={one.status === "failing" ? "badge warn" : "badge"}>{texts.statuses[one.status]}</span>
      {path === undefined ? null : (
        <>
          <details open={isNew}>
            <summary aria-label={`${texts.choose}: ${name}`}>{texts.choose}</summary>
            <Do operation={`PATCH ${path}/${one.uid}`} back="/console/doctor/calendars" label={name}>
              <div class="entries">
                {one.calendars.map((calendar, at) => (
                  <div key={calendar.id}>
                    <Hidden fields={{ [`calendars.${at}.id`]: calendar.id }} />
                    <YesNoField
                      label={fill(texts.reads, { name: calendar.name })}
                      name={`calendars.${at}.reads`}
                      value={calendar.reads}
                    />
                    <YesNoField
                      label={fill(texts.writes, { name: calendar.name })}
                      name={`calendars.${at}.writes`}
                      value={calendar.writes || (isNew && !isWritten && at === 0)}
                    />
                  </div>
                ))}
              </div>
              <Submit text={frame.save} look={isNew ? "primary" : "secondary"} />
            </Do>
          </details>
          <Ask
            operation={`DELETE ${path}/${one.uid}`}
            text={texts.disconnect}
            label={`${texts.disconnect}: ${name}`}
            question={fill(texts.disconnectQuestion, { name })}
          />
        </>
      )}
    </li>
  )
}

/** Connections of a doctor that can only be read here. */
export const ReadOnlyConnections = ({ connections }: { readonly connections: ReadonlyArray<CalendarConnection> }) => {
  const texts = useConnectionTexts()
  return (
    <Card id="connections" title={texts.title}>
      <p class="help">{texts.ofDoctor}</p>
      <Rows of={connections} empty={{ what: { name: "connections", text: texts.empty } }}>
        {(one) => <ConnectionRow key={one.uid} one={one} />}
      </Rows>
    </Card>
  )
}

interface OwnConnectionsProps {
  readonly connections: ReadonlyArray<CalendarConnection>
  readonly offered: ReadonlyArray<typeof OfferedProvider.Type>
  /** The one that was connected just now; `false`: an attempt has failed. */
  readonly connected: string | null
}

/** The doctor's own calendars: in three presses by choosing a provider, allowing it there, and choosing calendars. */
export const OwnConnections = ({ connections, offered, connected }: OwnConnectionsProps) => {
  const texts = useConnectionTexts()
  const words = useOwnTexts()
  const path = "/v1/doctor/calendar-connections"
  return (
    <Card id="connections" title={texts.title}>
      <p class="help">{texts.intro}</p>
      {connected === "false" ? <p class="fault">{texts.notConnected}</p> : null}
      <Rows of={connections} empty={{ what: { name: "connections", text: texts.empty } }}>
        {(one) => <ConnectionRow key={one.uid} one={one} path={path} isNew={one.uid === connected} />}
      </Rows>
      <div class="actions">
        {offered.map(({ provider }) => (
          <a
            key={provider}
            class={connections.length === 0 ? "primary" : "secondary"}
            href={`/connect/calendar/${provider}`}
          >
            {texts.connect[provider]}
          </a>
        ))}
      </div>
      <details>
        <summary>{texts.caldav}</summary>
        <Do
          operation={`POST ${path}`}
          hidden={{ provider: "caldav" }}
          back="/console/doctor/calendars?connected={uid}"
          label={texts.caldav}
        >
          <div class="entries">
            <Field label={words.url} name="url" type="url" required />
            <Field label={words.username} name="username" required />
            <Field label={words.password} name="password" type="password" required />
          </div>
          <Submit text={texts.submit} />
        </Do>
      </details>
    </Card>
  )
}

interface DifferingEntriesProps {
  readonly entries: ReadonlyArray<DifferingEntry>
  readonly connections: ReadonlyArray<CalendarConnection>
}

/** On the day's page: what the doctor's own calendar has otherwise, with a button for either side. */
export const DifferingEntries = ({ entries, connections }: DifferingEntriesProps) => {
  const texts = useConnectionTexts()
  const { language, zone } = useDesk()
  const failing = connections.filter(({ status }) => status === "failing")
  if (entries.length === 0 && failing.length === 0) return null
  return (
    <Card id="own-calendar" title={texts.day}>
      <ul class="rows">
        {failing.map((one) => (
          <li key={one.uid}>
            <Subject below={[faultIn(connectionFaults, texts.faults, one.last_error)]}>
              <a href="/console/doctor/calendars#connections">{`${texts.providers[one.provider]} ${one.account}`}</a>
            </Subject>
          </li>
        ))}
        {entries.map(({ appointment_uid, start_date, state, calendar_start_date }) => {
          const time = moment(language, zone, start_date)
          const page = `/console/doctor/appointments/${encodeURIComponent(appointment_uid)}`
          const isMoved = calendar_start_date !== null
          const text = isMoved ? texts.moveBack : texts.restore
          return (
            <li key={appointment_uid}>
              <Subject
                below={[
                  isMoved
                    ? fill(texts.moved, { time: moment(language, zone, calendar_start_date) })
                    : state === "failing"
                      ? texts.failing
                      : texts.missing
                ]}
              >
                <a href={page}>{time}</a>
              </Subject>
              <Press
                operation={`POST /v1/doctor/calendar-entries/${appointment_uid}/restore`}
                text={text}
                label={`${text}: ${time}`}
              />
              <a class="secondary" href={`${page}?move=true`} aria-label={`${texts.move}: ${time}`}>
                {texts.move}
              </a>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

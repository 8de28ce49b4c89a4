import type { AuditEntry } from "../../../schemas/audit/AuditEntry.ts"
import { Empty, Field, PageHead, Submit, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Table } from "./Table.tsx"

interface AuditProps {
  /** Entered values by field of the form. */
  readonly search: Readonly<Record<"owner" | "action" | "actor" | "subject" | "from" | "until", string>>
  /** Null before the first search. */
  readonly entries: ReadonlyArray<AuditEntry> | null
  readonly next: string | null
  /** Shows the user's own log, without a field for the owner. */
  readonly isOwn?: boolean
}

/** The audit log of one owner. */
export const AuditPage = ({ search, entries, next, isOwn = false }: AuditProps) => {
  const { operator: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  return (
    <>
      <PageHead title={texts.pages.audit} />
      <section class="card" aria-label={frame.search}>
        <search>
          <form class="stack">
            <div class="entries">
              {isOwn ? null : (
                <Field label={texts.owner} name="owner" value={search.owner} required help={texts.ownerHelp} />
              )}
              <Field label={texts.action} name="action" value={search.action} />
              <Field label={texts.actor} name="actor" value={search.actor} />
              <Field label={texts.subject} name="subject" value={search.subject} />
              <Field label={texts.from} name="from" type="date" value={search.from} />
              <Field label={texts.until} name="until" type="date" value={search.until} />
            </div>
            <p class="actions">
              <Submit text={texts.show} />
            </p>
          </form>
        </search>
      </section>
      {entries === null ? null : (
        <div class="card">
          {entries.length === 0 ? <Empty what="audit" /> : null}
          <Table
            label={texts.pages.audit}
            columns={[texts.when, texts.action, texts.actor, texts.subject, texts.purpose]}
          >
            {entries.map((one) => (
              <tr key={one.id}>
                <td>{moment(language, zone, one.at)}</td>
                <td>{one.action}</td>
                <td>{`${one.actor.kind} ${one.actor.uid}`}</td>
                <td>{one.subject ?? "–"}</td>
                <td>{one.purpose ?? "–"}</td>
              </tr>
            ))}
          </Table>
          {next === null ? null : (
            <p class="actions">
              <a class="secondary" href={address({ after: next })}>
                {texts.more}
              </a>
            </p>
          )}
        </div>
      )}
    </>
  )
}

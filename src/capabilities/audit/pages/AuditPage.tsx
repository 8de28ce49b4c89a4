import type { ComponentChildren } from "preact"
import { fill } from "../../../texts/fill.ts"
import { Empty, Field, PageHead, Submit, useAddress, useDesk } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import { RecordLink, Subject } from "../../shared/pages/rows.tsx"
import { Table } from "../../shared/pages/Table.tsx"
import type { AuditEntry } from "../schemas/AuditEntry.ts"
import { deskTextsOf } from "../texts/desk.ts"

interface AuditProps {
  /** Entered values by field of the form. */
  readonly search: Readonly<Record<"owner" | "action" | "actor" | "subject" | "from" | "until", string>>
  /** Null before the first search. */
  readonly entries: ReadonlyArray<AuditEntry> | null
  readonly next: string | null
  /** For an operator: whose log it is, or among whom to choose. Default: the own log, which needs no field for it. */
  readonly owners?: ReadonlyArray<{ readonly uid: string; readonly name: string }>
  /** People and keys by uid and by `kind:uid`, patients by uid. */
  readonly names: {
    readonly staff: ReadonlyMap<string, string>
    readonly patients: ReadonlyMap<string, string>
  }
}

interface NamedProps {
  readonly name: ComponentChildren
  /** The filter of the list that has the identifier. */
  readonly filter: "actor" | "subject"
  readonly uid: string
}

/** A name, and the identifier, which leads to the entries that have it. */
const Named = ({ name, filter, uid }: NamedProps) => {
  const link = useAddress()
  return (
    <>
      {name}
      {name === undefined ? null : <br />}
      <a class="help" href={link({ [filter]: uid, after: null })}>
        {uid}
      </a>
    </>
  )
}

/** Pages of the records whose own identifiers begin so; partners' may not. */
const useRecordPage = () => {
  const texts = deskTextsOf(useDesk().language)
  return (uid: string) => {
    const [address, text] = uid.startsWith("apt_")
      ? [`/console/practice/appointments/${encodeURIComponent(uid)}`, texts.appointment]
      : uid.startsWith("prs_")
        ? [`/console/practice/prescriptions?${new URLSearchParams({ uid })}`, texts.prescription]
        : []
    return address === undefined ? undefined : <a href={address}>{text}</a>
  }
}

/** Before one is chosen: the installation itself, and whoever has the entered name. */
const Owners = ({ of, entered }: { readonly of: NonNullable<AuditProps["owners"]>; readonly entered: string }) => {
  const texts = deskTextsOf(useDesk().language)
  const link = useAddress()
  return (
    <section class="card" aria-label={texts.owner}>
      {entered !== "" && of.length === 0 ? <p class="notice warn">{fill(texts.noOwner, { name: entered })}</p> : null}
      <ul class="rows">
        {[...of, { uid: "installation", name: texts.installation }].map(({ uid, name }) => (
          <li key={uid}>
            <Subject below={[uid]}>
              <a href={link({ owner: uid })}>{name}</a>
            </Subject>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The audit log of one owner. */
export const AuditPage = ({ search, entries, next, names, owners }: AuditProps) => {
  const { language, zone, names: added } = useDesk()
  const texts = deskTextsOf(language)
  const { looked } = texts
  const kinds: Readonly<Record<string, string>> = looked.kinds
  const actions: Readonly<Record<string, string>> = { ...looked.actions, ...added.actions }
  const recordPage = useRecordPage()
  const patient = (uid: string) =>
    names.patients.has(uid) ? <RecordLink of="patients" uid={uid} text={names.patients.get(uid)} /> : undefined
  const record = (uid: string) =>
    patient(uid) ?? names.staff.get(uid) ?? (owners === undefined ? recordPage(uid) : undefined)
  const address = useAddress()
  const [owner] = owners ?? []
  return (
    <>
      <PageHead title={entries !== null && owner !== undefined ? `${texts.title}: ${owner.name}` : texts.title} />
      <section class="card" aria-label={texts.search}>
        <search>
          <form class="stack">
            <div class="entries">
              {owners === undefined ? null : <Field label={texts.owner} name="owner" value={search.owner} required />}
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
      {owners !== undefined && entries === null ? <Owners of={owners} entered={search.owner} /> : null}
      {entries === null ? null : (
        <div class="card">
          {entries.length === 0 ? <Empty what={{ name: "audit", ...texts.empty }} /> : null}
          <Table label={texts.title} columns={[texts.when, texts.action, texts.actor, texts.subject, texts.purpose]}>
            {entries.map((one) => (
              <tr key={one.id}>
                <td>{moment(language, zone, one.at)}</td>
                <td>
                  {actions[one.action] === undefined ? (
                    one.action
                  ) : (
                    <>
                      {actions[one.action]}
                      <br />
                      <span class="help">{one.action}</span>
                    </>
                  )}
                </td>
                <td>
                  <Named
                    name={
                      names.staff.get(`${one.actor.kind}:${one.actor.uid}`) ??
                      (one.actor.kind === "patient" ? patient(one.actor.uid) : undefined) ??
                      kinds[one.actor.kind]
                    }
                    filter="actor"
                    uid={one.actor.uid}
                  />
                </td>
                <td>
                  {one.subject === null ? "–" : <Named name={record(one.subject)} filter="subject" uid={one.subject} />}
                </td>
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

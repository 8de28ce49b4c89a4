import { fill } from "../../../texts/fill.ts"
import { Card, PageHead, Rows, useDesk } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import { Pager } from "../../shared/pages/Pager.tsx"
import { RecordLink, Subject } from "../../shared/pages/rows.tsx"
import type { AuditEntry } from "../schemas/AuditEntry.ts"
import { deskTextsOf } from "../texts/desk.ts"

interface LookedProps {
  readonly patient: { readonly uid: string; readonly name: string }
  /** Newest first. */
  readonly entries: ReadonlyArray<AuditEntry>
  readonly page: number
  readonly pages: number
  /** Names by `kind:uid` of those who are known. */
  readonly names: ReadonlyMap<string, string>
}

/** Who looked at a patient's record, and who changed it. */
export const LookedPage = ({ patient, entries, page, pages, names }: LookedProps) => {
  const { language, zone, names: added } = useDesk()
  const { looked: texts } = deskTextsOf(language)
  const actions: Readonly<Record<string, string>> = { ...texts.actions, ...added.actions }
  const kinds: Readonly<Record<string, string>> = texts.kinds
  return (
    <>
      <PageHead title={fill(texts.title, { name: patient.name })}>
        <RecordLink of="patients" uid={patient.uid} class="quiet" text={patient.name} />
      </PageHead>
      <Card id="looked" title={texts.heading}>
        <p class="help">{texts.help}</p>
        <Rows of={entries} empty={{ what: { name: "looked", ...texts.empty } }}>
          {(one) => (
            <li key={one.id}>
              <time>{moment(language, zone, one.at)}</time>
              <Subject below={[[kinds[one.actor.kind], one.purpose].filter(Boolean).join(" · ")]}>
                {names.get(`${one.actor.kind}:${one.actor.uid}`) ?? one.actor.uid}
              </Subject>
              <span>{actions[one.action] ?? one.action}</span>
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
    </>
  )
}

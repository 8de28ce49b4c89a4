import { noticeName } from "../../../../texts/notices.ts"
import { Field, PageHead, Press, Rows, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Filter, RecordLink, Subject } from "../../../shared/pages/rows.tsx"
import type { SentMessage } from "../../schemas/SentMessage.ts"
import { useTexts } from "../useTexts.ts"

interface MessagesProps {
  readonly messages: ReadonlyArray<SentMessage>
  /** Of the patients, by uid, as far as the reader may see them. */
  readonly names: ReadonlyMap<string, string>
  readonly status: SentMessage["status"] | null
  /** Whose messages alone; null: everybody's. */
  readonly patient: string | null
  /** The search for a patient, and who fits. */
  readonly search: string
  readonly found: ReadonlyArray<readonly [uid: string, name: string]>
  readonly page: number
  readonly pages: number
}

/** Sent and unsent messages. */
export const MessagesPage = ({ messages, names, status, patient, search, found, page, pages }: MessagesProps) => {
  const { practice: texts, frame } = useTexts()
  const link = useAddress()
  const { language, zone } = useDesk()
  const statuses = ["sent", "failed", "pending", "skipped"] as const
  const filters = [
    [null, texts.everybody],
    ...statuses.map((one) => [one, texts.messageStatuses[one]] as const)
  ] as const
  return (
    <>
      <PageHead title={texts.pages.messages}>
        <Filter label={texts.messageStatus} name="status" of={filters} chosen={status} />
        <search>
          <form class="press" action="/console/practice/messages">
            <Field label={texts.searchPatient} name="search" type="search" value={search} />
            <Submit text={frame.search} look="secondary" />
          </form>
        </search>
      </PageHead>
      {search === "" ? null : (
        <nav class="card" aria-label={texts.searchPatient}>
          <Rows of={found} empty={{ what: "filtered", to: "/console/practice/messages" }}>
            {([uid, name]) => (
              <li key={uid}>
                <a href={link({ patient: uid, search: null, page: null })}>{name}</a>
              </li>
            )}
          </Rows>
        </nav>
      )}
      {patient === null ? null : (
        <p class="notice">
          {`${texts.onlyOf} `}
          <RecordLink of="patients" uid={patient} text={names.get(patient) ?? patient} />
          {" · "}
          <a href={link({ patient: null })}>{texts.everybody}</a>
        </p>
      )}
      <section class="card" aria-label={texts.pages.messages}>
        <Rows
          of={messages}
          empty={
            status === null
              ? { what: "messages", to: "/console/practice?view=next" }
              : { what: "filtered", to: "/console/practice/messages" }
          }
        >
          {(one) => (
            <li key={one.uid}>
              <time>{moment(language, zone, one.sent_at ?? one.created_at)}</time>
              <Subject below={[one.error === null ? null : (texts.messageReasons[one.error] ?? one.error)]}>
                {one.patient_uid === null || !names.has(one.patient_uid) ? null : (
                  <>
                    <RecordLink of="patients" uid={one.patient_uid} text={names.get(one.patient_uid)} />
                    {" · "}
                  </>
                )}
                {one.appointment_uid === null ? (
                  noticeName(one.kind, language)
                ) : (
                  <RecordLink of="appointments" uid={one.appointment_uid} text={noticeName(one.kind, language)} />
                )}
                {` · ${texts.recipients[one.recipient_role]} · ${one.channel === "email" ? texts.byMail : texts.bySms}`}
              </Subject>
              <span class={one.status === "failed" ? "badge warn" : "badge"}>{texts.messageStatuses[one.status]}</span>
              {one.status === "pending" ? null : (
                <Press
                  operation={`POST /v1/management/messages/${one.uid}/resend`}
                  text={texts.sendAgain}
                  label={`${texts.sendAgain}: ${noticeName(one.kind, language)}, ${moment(language, zone, one.created_at)}`}
                  look="quiet"
                />
              )}
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </section>
    </>
  )
}

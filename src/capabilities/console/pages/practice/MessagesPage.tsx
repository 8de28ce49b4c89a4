import { PageHead, Rows, useDesk } from "../../../../pages/staff/Desk.tsx"
import { moment } from "../../../../pages/staff/format.ts"
import { Pager } from "../../../../pages/staff/Pager.tsx"
import { Filter, RecordLink, Subject } from "../../../../pages/staff/rows.tsx"
import type { SentMessage } from "../../../../schemas/notifications/Message.ts"
import { noticeName } from "../../../../texts/notices.ts"
import { useTexts } from "../useTexts.ts"

interface MessagesProps {
  readonly messages: ReadonlyArray<SentMessage>
  /** Of the patients, by uid, as far as the reader may see them. */
  readonly names: ReadonlyMap<string, string>
  readonly status: SentMessage["status"] | null
  readonly page: number
  readonly pages: number
}

/** Sent and unsent messages. */
export const MessagesPage = ({ messages, names, status, page, pages }: MessagesProps) => {
  const { practice: texts } = useTexts()
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
      </PageHead>
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
              <Subject below={[one.error]}>
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
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </section>
    </>
  )
}

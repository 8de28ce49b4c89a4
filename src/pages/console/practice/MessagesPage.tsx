import type { SentMessage } from "../../../schemas/notifications/Message.ts"
import { PageHead, Rows, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"

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
  const address = useAddress()
  const filters = [null, "sent", "failed", "pending", "skipped"] as const
  return (
    <>
      <PageHead title={texts.pages.messages}>
        <nav class="console-links" aria-label={texts.messageStatus}>
          {filters.map((value) => (
            <a
              key={value}
              href={address({ status: value, page: null })}
              aria-current={value === status ? "true" : undefined}
            >
              {value === null ? texts.everybody : texts.messageStatuses[value]}
            </a>
          ))}
        </nav>
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
              <span class="grow">
                {one.patient_uid === null || !names.has(one.patient_uid) ? null : (
                  <>
                    <a href={`/console/practice/patients/${encodeURIComponent(one.patient_uid)}`}>
                      {names.get(one.patient_uid)}
                    </a>
                    {" · "}
                  </>
                )}
                {one.appointment_uid === null ? (
                  texts.messageKinds[one.kind]
                ) : (
                  <a href={`/console/practice/appointments/${one.appointment_uid}`}>{texts.messageKinds[one.kind]}</a>
                )}
                {` · ${texts.recipients[one.recipient_role]} · ${one.channel === "email" ? texts.byMail : texts.bySms}`}
                {one.error === null ? null : (
                  <>
                    <br />
                    <span class="help">{one.error}</span>
                  </>
                )}
              </span>
              <span class={one.status === "failed" ? "badge warn" : "badge"}>{texts.messageStatuses[one.status]}</span>
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </section>
    </>
  )
}

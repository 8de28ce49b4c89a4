import type { ComponentChildren } from "preact"
import type { Article } from "../../../schemas/prescriptions/Article.ts"
import { fill } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Press, Rows, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import { Pager } from "../../shared/pages/Pager.tsx"
import { type Choices, Filter, RecordLink, Subject } from "../../shared/pages/rows.tsx"
import { timeSpan } from "../../shared/texts/timeSpan.ts"
import type { Form } from "../schemas/Form.ts"
import type { ListedRequest, OwnRequest, ReadRequest, Request, RequestType } from "../schemas/Request.ts"
import { textIn } from "../services/engine.ts"
import { Answers } from "./Answers.tsx"
import { Offered, TextFields, useOwnTexts } from "./Builder.tsx"
import { tagOf, textsBy } from "./languages.ts"

const TYPES = "/v1/management/request-types"
const REQUESTS = "/v1/management/requests"

/** `other` in a text would be the form of a plural. */
const kindsOf = ({ kinds: { else: other, ...kinds } }: ReturnType<typeof useOwnTexts>) => ({ ...kinds, other })

const RequestTypeFields = ({ one, forms }: { readonly one: RequestType | null; readonly forms: Choices }) => {
  const texts = useOwnTexts()
  const { words } = useTexts()
  const { language } = useDesk()
  const names = { [tagOf(language)]: "", ...(one === null ? {} : textsBy(one.name, language)) }
  return (
    <div class="entries">
      <TextFields
        label={words.name}
        name="name"
        languages={Object.keys(names)}
        value={(name) => names[name.slice("name.".length)]}
        required
      />
      <Field label={texts.kind} name="kind" value={one?.kind} options={Object.entries(kindsOf(texts))} />
      <Field label={texts.asks} name="form_uid" value={one?.form_uid} options={forms} />
      <Field
        label={texts.within}
        name="answer_within_minutes@hours"
        value={String((one?.answer_within_minutes ?? 1440) / 60)}
        required
      />
      <Field
        label={texts.recipient}
        name="recipient"
        value={one?.recipient}
        options={Object.entries(texts.recipients)}
      />
    </div>
  )
}

/** What patients can ask in writing. */
export const RequestTypesPage = ({
  types,
  forms
}: {
  readonly types: ReadonlyArray<RequestType>
  readonly forms: ReadonlyArray<Form>
}) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const { language, practice } = useDesk()
  const choices = forms.map(({ uid, title }) => [uid, textIn(title, language, "de")] as const)
  return (
    <>
      <PageHead title={texts.requestTypes} />
      <Card id="request-types" title={texts.requestTypes}>
        <Rows of={types} empty={{ what: { name: "requestTypes", ...texts.noRequestTypes } }}>
          {(one) => {
            const name = textIn(one.name, language, "de")
            return (
              <li key={one.uid}>
                <details class="grow">
                  <summary>{name}</summary>
                  <Do operation={`PATCH ${TYPES}/${one.uid}`} label={name}>
                    <RequestTypeFields one={one} forms={choices} />
                    <Submit text={frame.save} look="secondary" />
                  </Do>
                </details>
                <span class="help">
                  {[
                    kindsOf(texts)[one.kind],
                    fill(texts.withinIs, { time: timeSpan(language, one.answer_within_minutes) })
                  ].join(" · ")}
                </span>
                <Offered path={`${TYPES}/${one.uid}`} name={name} active={one.active} />
              </li>
            )
          }}
        </Rows>
        {forms.length === 0 ? (
          <p class="help">
            {texts.noFormYet} <a href={`${practice}/forms`}>{texts.forms}</a>
          </p>
        ) : (
          <details open={types.length === 0}>
            <summary>{texts.newRequestType}</summary>
            <Do operation={`POST ${TYPES}`} label={texts.newRequestType}>
              <RequestTypeFields one={null} forms={choices} />
              <Submit text={texts.newRequestType} />
            </Do>
          </details>
        )}
      </Card>
    </>
  )
}

/** Until when it is to be answered, or how far it is. */
const State = ({ one }: { readonly one: Pick<Request, "status" | "overdue" | "outcome"> }) => {
  const texts = useOwnTexts()
  if (one.overdue) return <span class="badge warn">{texts.overdue}</span>
  return <span class="badge">{one.outcome === null ? texts.statuses[one.status] : texts.outcomes[one.outcome]}</span>
}

/** When it was sent, and until when it is to be answered. */
const useTimes = () => {
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  return ({ status, due_at, created_at }: Request) => {
    const sent = fill(texts.sentAt, { time: moment(language, zone, created_at) })
    const due = fill(texts.dueAt, { time: moment(language, zone, due_at) })
    return status === "open" || status === "taken" ? `${sent} · ${due}` : sent
  }
}

interface RowProps {
  readonly one: ListedRequest
  /** The patient's. */
  readonly name: string
  readonly isLink?: boolean
  readonly children: ComponentChildren
}

/** A request in a list, with what can be done with it. */
const Row = ({ one, name, isLink = false, children }: RowProps) => {
  const text = `${textIn(one.type_name, useDesk().language, "de")}: ${name}`
  return (
    <li>
      <Subject below={[useTimes()(one)]}>
        {isLink ? <RecordLink of="requests" uid={one.uid} text={text} /> : text}
      </Subject>
      <State one={one} />
      {children}
    </li>
  )
}

type Inbox = "open" | "mine" | "overdue"

interface InboxProps {
  readonly requests: ReadonlyArray<ListedRequest>
  /** Null: all, with those that are closed. */
  readonly inbox: Inbox | null
  readonly counts: Readonly<Record<Inbox, number>>
  readonly page: number
  readonly pages: number
  /** Names of patients, by uid. */
  readonly names: ReadonlyMap<string, string>
  /** Who reads the page. */
  readonly me: string
}

/** What patients ask in writing: taken, answered and closed from the list. */
export const RequestsPage = ({ requests, inbox, counts, page, pages, names, me }: InboxProps) => {
  const texts = useOwnTexts()
  const tab = (key: Inbox) => [key, `${texts.inbox[key]} (${counts[key]})`] as const
  return (
    <>
      <PageHead title={texts.requests}>
        <Filter
          label={useTexts().words.apply}
          name="inbox"
          of={[tab("open"), tab("mine"), tab("overdue"), ["all", texts.inbox.all]]}
          chosen={inbox ?? "all"}
        />
      </PageHead>
      <Card id="requests" title={texts.inbox[inbox ?? "all"]}>
        <Rows of={requests} empty={{ what: { name: "requests", ...texts.noRequests } }}>
          {(one) => {
            const name = names.get(one.patient_uid) ?? one.patient_uid
            const path = `POST ${REQUESTS}/${one.uid}`
            const [isOpen, isMine] = [one.status !== "closed", one.taken_by === me]
            return (
              <Row key={one.uid} one={one} name={name} isLink>
                {isOpen && !isMine ? (
                  <Press operation={`${path}/take`} text={texts.take} label={`${texts.take}: ${name}`} />
                ) : null}
                {isMine && one.status === "taken" ? (
                  <Do operation={`${path}/answer`} class="press">
                    <Field label={`${texts.answerText}: ${name}`} name="text" required />
                    <Submit text={texts.answer} label={`${texts.answer}: ${name}`} look="secondary" />
                  </Do>
                ) : null}
                {isOpen ? (
                  <Press
                    operation={`${path}/close`}
                    hidden={{ outcome: "done" }}
                    text={texts.close}
                    label={`${texts.close}: ${name}`}
                    look="quiet"
                  />
                ) : null}
              </Row>
            )
          }}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
    </>
  )
}

interface ActsProps {
  /** Path of the request in the interface. */
  readonly path: string
  readonly one: ReadRequest
  readonly back: string
}

/** Answering, and closing with what became of it. */
const Acts = ({ path, one, back }: ActsProps) => {
  const texts = useOwnTexts()
  if (one.status === "closed") return null
  return (
    <>
      <Do operation={`POST ${path}/answer`} label={texts.answer}>
        <Field label={texts.answerText} name="text" rows={4} value={one.text} required help={texts.answerHelp} />
        <Submit text={texts.answer} />
      </Do>
      <Do operation={`POST ${path}/close`} label={texts.close} back={back}>
        <div class="entries">
          <Field label={texts.outcome} name="outcome" options={Object.entries(texts.outcomes)} />
          <Field label={texts.textToo} name="text" />
        </div>
        <Submit text={texts.close} look="secondary" />
      </Do>
    </>
  )
}

const Asked = ({ one }: { readonly one: ReadRequest }) => {
  const texts = useOwnTexts()
  const timesOf = useTimes()
  return (
    <>
      <p>
        <State one={one} /> <span class="help">{timesOf(one)}</span>
      </p>
      {one.form === null ? null : <Answers form={one.form} />}
      {one.text === null || one.status !== "closed" ? null : (
        <p class="lines">
          <strong>{texts.said}</strong>
          <br />
          {one.text}
        </p>
      )}
    </>
  )
}

interface RequestProps {
  readonly one: ReadRequest
  readonly name: string
  readonly me: string
}

/** One request with its answers. */
export const RequestPage = ({ one, name, me }: RequestProps) => {
  const texts = useOwnTexts()
  const { language, practice } = useDesk()
  const type = textIn(one.type_name, language, "de")
  const path = `${REQUESTS}/${one.uid}`
  return (
    <>
      <PageHead title={type}>
        <RecordLink of="patients" uid={one.patient_uid} text={name} />
        <a class="quiet" href={`${practice}/requests`}>
          {texts.requests}
        </a>
      </PageHead>
      <div class="board">
        <Card id="asked" title={type}>
          <Asked one={one} />
        </Card>
        {one.status === "closed" ? null : (
          <Card id="answer" title={texts.answer}>
            {one.taken_by === me ? null : <Press operation={`POST ${path}/take`} text={texts.take} />}
            <Acts path={path} one={one} back={`${practice}/requests`} />
          </Card>
        )}
      </div>
    </>
  )
}

/** A doctor's requests: each leads to the patient's card. */
export const OwnRequests = ({ requests }: { readonly requests: ReadonlyArray<OwnRequest> }) => {
  const texts = useOwnTexts()
  const { workspace } = useDesk()
  return requests.length === 0 ? null : (
    <Card id="requests" title={`${texts.toMe} (${requests.length})`}>
      <ul class="rows">
        {requests.map((one) => {
          const { uid, kind, patient_uid, patient_display_name: name } = one
          const act = kind === "prescription" ? texts.prescribe : texts.answer
          const card = `${workspace}/patients/${encodeURIComponent(patient_uid)}?${new URLSearchParams({ request: uid })}`
          return (
            <Row key={uid} one={one} name={name}>
              <a class="secondary" href={`${card}#request`} aria-label={`${act}: ${name}`}>
                {act}
              </a>
            </Row>
          )
        })}
      </ul>
    </Card>
  )
}

interface OwnRequestProps {
  readonly one: ReadRequest
  readonly articles: ReadonlyArray<Article>
}

/** A request on the patient's card: answered, or a prescription is written from it and closes it. */
export const OwnRequestCard = ({ one, articles }: OwnRequestProps) => {
  const texts = useOwnTexts()
  const { language, workspace } = useDesk()
  const path = `/v1/doctor/requests/${one.uid}`
  const closing = JSON.stringify({ outcome: "prescription", prescription_uid: "{uid}" })
  return (
    <Card id="request" title={textIn(one.type_name, language, "de")}>
      <Asked one={one} />
      {one.kind !== "prescription" || one.status === "closed" ? null : articles.length === 0 ? (
        <p class="help">{texts.noArticles}</p>
      ) : (
        <Do
          operation="POST /v1/doctor/prescriptions"
          hidden={{ patient_uid: one.patient_uid, "@then": `POST ${path}/close ${closing}` }}
          back={`${workspace}/prescriptions`}
          label={texts.prescribe}
        >
          <Field
            label={texts.article}
            name="items.0.sku_uid"
            options={articles.map(({ sku_uid, name, pzn }) => [sku_uid, [name, pzn].filter(Boolean).join(" · ")])}
          />
          <div class="entries">
            <Field label={texts.packs} name="items.0.quantity" type="number" value={1} min={1} required />
            <Field label={texts.dosage} name="items.0.dosage" />
          </div>
          <Submit text={texts.prescribeClose} />
        </Do>
      )}
      <Acts path={path} one={one} back={workspace} />
    </Card>
  )
}

/**
 * The pages on which patients answer, screen by screen, with drafts on the way: before times are shown, before the visit, and in writing.
 * Everything is a form without a script; the service says what is asked; and where they read what became of a request. Rule 22.9.
 */
import { HttpRouter } from "@effect/platform"
import { Cause, Effect, Option } from "effect"
import { BodyTooLarge } from "../../../http/admission/GuardedRequest.ts"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { type PageContent, Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, type Visit, withNotice } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { byWord } from "../../../schemas/byWord.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { Fault } from "../../../schemas/problems.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { KeptForms } from "../../../services/hosted/KeptForms.ts"
import { allowedReturn, PageHosts } from "../../../services/hosted/PageHosts.ts"
import { Presentations } from "../../../services/hosted/Presentations.ts"
import { type AnyBookingSession, BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { fill } from "../../../texts/fill.ts"
import { type Asking, OutcomePage, type QuestionNotice, ScreenPage, SummaryPage } from "../pages/QuestionPages.tsx"
import { type Form, FormUid } from "../schemas/Form.ts"
import { isAnswered } from "../schemas/formRules.ts"
import { RequestTypeUid } from "../schemas/Request.ts"
import type { FormFile } from "../schemas/TypeFields.ts"
import { flattened, judge, textIn } from "../services/engine.ts"
import { FormFiles } from "../services/FormFiles.ts"
import type { FilesOf } from "../services/places.ts"
import { Requests } from "../services/Requests.ts"
import { QUESTIONS, Responses } from "../services/Responses.ts"
import { answerOf, askedOn, reachedIn, screensOf, textsOf } from "../services/screens.ts"
import { questionTexts } from "../texts/questions.ts"
import { readSentForm, type SentFile } from "./multipart.ts"

/** A form that a patient is asked at one door, as far as it is answered. */
interface Asked {
  readonly owner: OrganisationUid
  readonly of: FilesOf
  readonly form: Pick<Form, "uid" | "version" | "title" | "items">
  readonly answers: Readonly<Record<string, unknown>>
  readonly files: ReadonlyArray<FormFile>
  /** path of the page, without its query */
  readonly self: string
  readonly send: string
  readonly help?: string
  /** default: true */
  readonly isOpen?: boolean
  readonly appointment_uid?: Parameters<typeof Responses.Service.save>[1]["appointment_uid"]
  /** Whether its booking session has ended: what was typed is stored, and nothing else happens. Rule 22.9.8. Default: false. */
  readonly hasEnded?: boolean
  /** Stores what was answered and leads on. */
  readonly finish: (answers: Readonly<Record<string, unknown>>) => Effect.Effect<string, unknown, CurrentTenant>
}

/** What a page says about the failure of an action. */
const failures = byWord<QuestionNotice>({
  Invalid: "check",
  PatientRestricted: "impossible",
  TooManyFiles: "tooMany",
  TooManyOpenRequests: "tooManyOpen",
  FilesOff: "impossible"
})
const failureOf = (error: unknown) =>
  typeof error === "object" && error !== null && "_tag" in error ? failures[String(error._tag)] : undefined

const isNotice = (notice = ""): notice is QuestionNotice => Object.hasOwn(questionTexts("de").notices, notice)

/** The items that faults are of. */
const namedIn = (faults: ReadonlyArray<Fault>) => faults.map(({ field }) => field.replace("answers.", ""))

const CHECK = "check"
const REQUESTS = "/requests"

const serve = Effect.fnUntraced(function* (router: Router) {
  const responses = yield* Responses
  const requests = yield* Requests
  const files = yield* FormFiles
  const hosts = yield* PageHosts
  const presentations = yield* Presentations
  const kept = yield* KeptForms
  const clock = yield* DomainClock
  const sessions = yield* BookingSessions
  const extensions = yield* Extensions
  const respond = yield* Respond

  const at = (visit: Visit, { self }: Pick<Asked, "self">, page: number | typeof CHECK, more = {}) =>
    `${self}${queryText({ ...visit.kept, page: String(page), ...more })}`

  const usable = (asked: Asked) => {
    const uids = new Set<string>(asked.files.flatMap(({ uid, status }) => (status === "rejected" ? [] : [uid])))
    return (uid: string) => uids.has(uid)
  }

  /** One screen, or the summary. What was typed wrongly is shown again. */
  const show = Effect.fnUntraced(function* (visit: Visit, asked: Asked) {
    const host = yield* hosts.ofCode(visit.code)
    const { form, files, send, help, isOpen = true } = asked
    const { enabled, missing, answers } = judge(form.items, asked.answers, usable(asked))
    const typed = yield* kept.read(visit.code, visit.query.get("form") ?? "")
    const texts = questionTexts(visit.language)
    const notice = isNotice(visit.notice) ? visit.notice : null
    const isChecked = notice === "check"
    const asking: Asking = {
      enabled,
      files,
      texts: (item) => (Object.hasOwn(typed, item.link_id) ? [typed[item.link_id] ?? ""] : textsOf(answers, item)),
      fault: ({ link_id }) =>
        Object.hasOwn(typed, link_id) ? "invalid" : isChecked && missing.includes(link_id) ? "required" : null
    }
    const screens = screensOf(form.items)
    const reached = reachedIn(screens, enabled)
    const page = visit.query.get("page") ?? reached[0]
    const items = isOpen && page !== CHECK ? screens[Number(page)] : undefined
    const post = at(visit, asked, items === undefined ? CHECK : Number(page))
    const named = textIn(form.title, visit.language, "de")
    const common = { script: "questions", stage: "questions", address: post }
    const { title } = form
    if (items === undefined) {
      const shown = screens
        .map((screen, index) => ({ address: at(visit, asked, index), items: askedOn(screen, enabled) }))
        .filter(({ items }) => items.length > 0)
      const body = (
        <SummaryPage {...{ title, screens: shown, asking, post: isOpen ? post : null, notice, send, help }} />
      )
      return respond.page(visit, host, { ...common, title: `${isOpen ? texts.check : texts.answers} – ${named}`, body })
    }
    const place = { at: reached.indexOf(Number(page)) + 1, of: reached.length }
    const step = place.of > 1 ? ` – ${fill(texts.step, { n: String(place.at), of: String(place.of) })}` : ""
    const attention = isChecked ? `${catalogue[visit.language].page.attention}: ` : ""
    const body = <ScreenPage {...{ title, items, asking, ...place, post, notice }} />
    return respond.page(visit, host, { ...common, title: `${attention}${named}${step}`, body })
  })

  /** Stores the file that was chosen; its uid, or what is wrong with it. */
  const store = ({ owner, of }: Asked, { name, bytes }: SentFile) =>
    files.add(owner, of, name, bytes).pipe(
      Effect.map(({ uid, status }) => (status === "rejected" ? ("rejected" as const) : { uid })),
      Effect.catchTag("Invalid", () => Effect.succeed("kind" as const))
    )

  const act = Effect.fnUntraced(function* (visit: Visit, asked: Asked) {
    const { owner, of, form, appointment_uid = null } = asked
    const screens = screensOf(form.items)
    const { fields, files: chosen } = yield* readSentForm
    const action = fields.get("action")
    const page = Number(visit.query.get("page") ?? "0")
    const screen = screens[page]
    const to = (next: number | typeof CHECK, notice?: QuestionNotice, more = {}) => {
      const address = at(visit, asked, next, more)
      return seeOther(notice === undefined ? address : withNotice(address, notice))
    }
    const afterEnd = seeOther(`${asked.self}${queryText(visit.kept)}`)
    if (asked.isOpen === false) return to(CHECK)
    if (screen === undefined) {
      if (asked.hasEnded) return afterEnd
      const { faults, missing } = judge(form.items, asked.answers, usable(asked))
      const open = new Set([...missing, ...namedIn(faults)])
      const faulty = screens.findIndex((one) => flattened(one).some(({ link_id }) => open.has(link_id)))
      // the draft of a request is gone once it was sent, of which a second press is told
      const isSent = faulty >= 0 && of.door === "request" && !(yield* responses.isBegun(owner, of))
      return faulty < 0 || isSent ? seeOther(yield* asked.finish(asked.answers)) : to(faulty, "check")
    }
    const shown = new Set((fields.get("shown") ?? "").split(" "))
    const [, removed] = fields.get("remove")?.split(" ") ?? []
    const answers: Record<string, unknown> = { ...asked.answers }
    const uids = new Set<string>(asked.files.map(({ uid }) => uid))
    let problem: QuestionNotice | undefined
    for (const item of flattened(screen).filter((one) => isAnswered(one) && shown.has(one.link_id))) {
      const name = `a.${item.link_id}`
      if (item.type !== "file") answers[item.link_id] = answerOf(item, fields.getAll(name))
      else {
        const before = [answers[item.link_id] ?? []].flat().filter((uid) => uid !== removed)
        for (const file of chosen.filter(({ field }) => field === name)) {
          const stored = yield* store(asked, file)
          if (typeof stored === "string") problem = stored
          else {
            uids.add(stored.uid)
            before.push(stored.uid)
          }
        }
        answers[item.link_id] = item.repeats ? before : before.at(-1)
      }
    }
    if (removed !== undefined) yield* files.remove(owner, of, removed)
    const found = judge(form.items, answers, (uid) => uids.has(uid))
    yield* responses.saveDraft(owner, { ...of, form, answers: found.answers, appointment_uid })
    if (asked.hasEnded) return afterEnd
    if (problem !== undefined) return to(page, problem)
    if (action === "add" || removed !== undefined) return to(page)
    const reached = reachedIn(screens, found.enabled)
    if (action === "back") return to(reached.findLast((one) => one < page) ?? page)
    const wanted = askedOn(screen, found.enabled)
    const faulty = wanted.filter(({ link_id }) => namedIn(found.faults).includes(link_id))
    if (faulty.length > 0) {
      const typed = faulty.map(({ link_id }) => [link_id, fields.getAll(`a.${link_id}`).join("\n")])
      return to(page, "check", { form: yield* kept.keep(visit.code, Object.fromEntries(typed)) })
    }
    if (wanted.some(({ link_id }) => shown.has(link_id) && found.missing.includes(link_id))) return to(page, "check")
    const isAll = flattened(screen).every(
      ({ link_id, type }) => type === "group" || !found.enabled.has(link_id) || shown.has(link_id)
    )
    return isAll ? to(reached.find((one) => one > page) ?? CHECK) : to(page, "more")
  })

  /** The pages of a door: `open` gives the form, or an answer in place of it. */
  const door =
    <E, R>(open: (visit: Visit) => Effect.Effect<Asked | ReturnType<typeof seeOther>, E, R>) =>
    (handle: typeof show | typeof act) =>
    (visit: Visit) =>
      Effect.flatMap(open(visit), (asked) => ("form" in asked ? handle(visit, asked) : Effect.succeed(asked))).pipe(
        Effect.catchAllCause((cause) => {
          const error = Cause.squash(cause)
          const notice = error instanceof BodyTooLarge ? "tooLarge" : failureOf(error)
          return visit.posted && notice !== undefined
            ? Effect.succeed(seeOther(withNotice(visit.self, notice)))
            : Effect.failCause(cause)
        })
      )

  /** What was answered to a form at a place so far. */
  const begun = (owner: OrganisationUid, of: FilesOf, form: Form) =>
    Effect.map(responses.stateOf(owner, of, form), ({ answers, files }) => ({ owner, of, form, answers, files }))

  /** A page that says something and leads on. */
  const say = (visit: Visit, said: Parameters<typeof OutcomePage>[0], more: Partial<PageContent> = {}) =>
    Effect.map(hosts.ofCode(visit.code), (host) => {
      const body = <OutcomePage {...said} />
      return respond.page(visit, host, { title: said.title, script: "questions", stage: "questions", body, ...more })
    })

  const pathOf = (visit: Visit, path: string) => `${respond.prefix}/booking/${encodeURIComponent(visit.code)}${path}`
  const ofBooking = (visit: Visit, path = "", more: Readonly<Record<string, string>> = {}) =>
    `${pathOf(visit, path)}${queryText({ ...visit.kept, ...more })}`

  const hasEnded = ({ expires_at }: Pick<AnyBookingSession, "expires_at">) =>
    Effect.map(clock.now, (now) => expires_at <= now)

  /** In place of the page of a session that has ended; `path`: what is asked, below the page where patients begin again. */
  const ended = Effect.fnUntraced(function* (visit: Visit, session: AnyBookingSession, path: string) {
    const host = yield* hosts.ofCode(visit.code)
    const { startAgain, returnTo } = catalogue[visit.language].booking
    const begins = yield* extensions.beginsAgain(session)
    const back = allowedReturn(session.return_url, [...host.return_url_origins, ...host.ancestors])
    const links = [
      ...(begins === null ? [] : [[`${respond.prefix}${begins}${path}${queryText(visit.kept)}`, startAgain] as const]),
      ...(back === null ? [] : [[back, fill(returnTo, { host: new URL(back).host })] as const])
    ]
    const said = { ...questionTexts(visit.language).ended, contact: links.length === 0, links }
    return yield* say(visit, said, { status: 404, stage: "expired" })
  })

  // ---- before times

  /** What the answers led to where they lead to no times of this type. */
  const outcome = Effect.fnUntraced(function* (
    visit: Visit,
    asked: Effect.Effect.Success<ReturnType<typeof responses.entryIn>>
  ) {
    if (visit.query.get("page") !== null) return undefined
    const { outcome: reached, text } = yield* responses.entryState(visit.code, visit.language)
    const { entry: texts, requests: writing } = questionTexts(visit.language)
    if (reached === "refuse") {
      const isWritten = (yield* requests.offered(asked.owner)).length > 0
      const links = [
        ...(asked.form === null ? [] : [[ofBooking(visit, QUESTIONS, { page: "0" }), texts.again] as const]),
        ...(isWritten ? [[ofBooking(visit, REQUESTS), writing.instead] as const] : [])
      ]
      return yield* say(visit, { title: texts.refused, text: text ?? texts.refusedText, contact: true, links })
    }
    const led = yield* responses.ledBy(asked.session, visit.language)
    if (Option.isNone(led) || (reached !== "continue" && asked.form !== null)) return undefined
    const type = yield* presentations.type(asked.owner, asked.session.appointment_type_uid, visit.language)
    const title = fill(texts.led, { type: type?.name ?? "" })
    return yield* say(visit, { title, text: led.value, links: [[ofBooking(visit), texts.send]] })
  })

  const entry = door(
    Effect.fnUntraced(function* (visit: Visit) {
      const session = yield* sessions.findStored(visit.code)
      const isOver = yield* hasEnded(session)
      if (isOver && !visit.posted) return yield* ended(visit, session, "")
      const found = yield* responses.entryIn(session)
      const { owner, of, form } = found
      const reached = visit.posted ? undefined : yield* outcome(visit, found)
      if (reached !== undefined) return reached
      if (form === null) return seeOther(ofBooking(visit))
      if (!isOver) yield* responses.adopt(owner, of)
      const asked: Asked = {
        ...(yield* begun(owner, of, form)),
        self: pathOf(visit, QUESTIONS),
        send: questionTexts(visit.language).entry.send,
        hasEnded: isOver,
        finish: (given) =>
          Effect.map(responses.enter(visit.code, given, visit.language), (entered) =>
            ofBooking(visit, entered.outcome === "continue" ? "" : QUESTIONS)
          )
      }
      return asked
    })
  )

  // ---- before the visit

  const intake = door(
    Effect.fnUntraced(function* (visit: Visit) {
      const { form_uid = "" } = yield* HttpRouter.params
      const uid = FormUid.make(form_uid)
      const { owner, of, form, appointment } = yield* responses.intakeOf(visit.code, uid)
      const { send, help, done: title } = questionTexts(visit.language).intake
      const back = `${respond.prefix}/appointment/${encodeURIComponent(visit.code)}`
      const self = `${back}/intake/${encodeURIComponent(uid)}`
      if (visit.query.get("done") !== null && !visit.posted) {
        const links = [[`${back}${queryText(visit.kept)}`, catalogue[visit.language].page.toAppointment]] as const
        return yield* say(visit, { title, text: help, isDone: true, links })
      }
      const asked: Asked = {
        ...(yield* begun(owner, of, form)),
        self,
        send,
        help,
        isOpen: yield* Effect.isSuccess(responses.ensureCorrectable(appointment, of)),
        appointment_uid: appointment.slot_group,
        finish: (given) =>
          Effect.as(
            responses.answerIntake(visit.code, uid, { answers: given, complete: true }),
            `${self}${queryText({ ...visit.kept, done: "" })}`
          )
      }
      return asked
    })
  )

  // ---- instead of a visit

  const choose = Effect.fnUntraced(function* (visit: Visit) {
    const session = yield* sessions.findStoredOfAny(visit.code)
    if (yield* hasEnded(session)) return yield* ended(visit, session, REQUESTS)
    const { title, nothing, choose: question } = questionTexts(visit.language).requests
    const links = (yield* requests.offered(session.organisation_uid)).map(
      ({ uid, name }) => [ofBooking(visit, `${REQUESTS}/${uid}`), textIn(name, visit.language, "de")] as const
    )
    const isEmpty = links.length === 0
    return yield* say(visit, { title, text: isEmpty ? nothing : question, contact: isEmpty, links, look: "secondary" })
  })

  const request = door(
    Effect.fnUntraced(function* (visit: Visit) {
      const { request_type_uid = "" } = yield* HttpRouter.params
      const uid = RequestTypeUid.make(request_type_uid)
      const session = yield* sessions.findStoredOfAny(visit.code)
      const isOver = yield* hasEnded(session)
      if (isOver && !visit.posted) return yield* ended(visit, session, REQUESTS)
      const { owner, of } = requests.filesIn(session, uid)
      const { form } = yield* requests.askedBy(owner, uid)
      if (!isOver) yield* responses.adopt(owner, of)
      const { send, sentText: help } = questionTexts(visit.language).requests
      const self = pathOf(visit, `${REQUESTS}/${encodeURIComponent(uid)}`)
      const asked: Asked = {
        ...(yield* begun(owner, of, form)),
        self,
        send,
        help,
        hasEnded: isOver,
        finish: (given) =>
          Effect.map(requests.sendDraft(owner, of, { request_type_uid: uid, answers: given }), (sent) => {
            const path = Option.map(sent, (url) => `${respond.prefix}/request/${url.split("/").at(-1)}`)
            return `${Option.getOrElse(path, () => self)}${queryText(visit.kept)}`
          })
      }
      return asked
    })
  )

  /** Where the patient reads what became of a request. Rule 22.5.6. */
  const became = Effect.fnUntraced(function* (visit: Visit) {
    const { status, outcome, answer, type_name } = yield* requests.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const texts = questionTexts(visit.language).request
    const text = outcome !== null ? texts[outcome] : status === "answered" ? texts.answered : texts.open
    return respond.page(visit, host, {
      title: texts.title,
      stage: "request",
      address: `${respond.prefix}/request/${encodeURIComponent(visit.code)}${queryText(visit.kept)}`,
      body: (
        <NoticePage title={textIn(type_name, visit.language, "de")} text={text}>
          {answer === null ? null : <p class="notice lines">{answer}</p>}
          <ContactPractice />
        </NoticePage>
      )
    })
  })

  const { route } = respond
  const booking = pageHandler(respond, "booking", hosts.ofCode)
  const appointment = pageHandler(respond, "appointment", hosts.ofCode)
  yield* router.get(route("/booking/:code/questions"), booking(entry(show)))
  yield* router.post(route("/booking/:code/questions"), booking(entry(act)))
  yield* router.get(route("/booking/:code/requests/:request_type_uid"), booking(request(show)))
  yield* router.post(route("/booking/:code/requests/:request_type_uid"), booking(request(act)))
  yield* router.get(route("/appointment/:code/intake/:form_uid"), appointment(intake(show)))
  yield* router.post(route("/appointment/:code/intake/:form_uid"), appointment(intake(act)))
  yield* router.get(route("/booking/:code/requests"), booking(choose))
  yield* router.get(route("/request/:code"), appointment(became))
})

export const FormPagesHttp = Routes.use(serve)

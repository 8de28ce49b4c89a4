/** `{meetings_url}/book/{shop_identifier}`: booking without a partner (section 5.8). */

import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Layer, ParseResult, Schema } from "effect"
import { Settings } from "../../../config.ts"
import {
  type Address,
  clientAddress,
  networkOf,
  providerOf,
  wideNetworkOf
} from "../../../http/admission/clientAddress.ts"
import { pageHandler, redirectToPages, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readForm, type Visit, withNotice } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { isPlausibleBirth } from "../../../schemas/birthDate.ts"
import type { PublicAppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { KeptForms } from "../../../services/hosted/KeptForms.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { inLanguage } from "../../../texts/inLanguage.ts"
import { PublicBookingCodePage, type PublicBookingNotice, PublicBookingPage } from "../pages/PublicBookingPage.tsx"
import { PublicBooking } from "../schemas/PublicBooking.ts"
import { type Networks, PublicBookings } from "../services/PublicBookings.ts"

const decode = Schema.decodeUnknownEither(PublicBooking, { errors: "all" })
const FIELDS = [
  "appointment_type_uid",
  "meeting_format",
  "first_name",
  "last_name",
  "date_of_birth",
  "email",
  "phone",
  "relative_first_name",
  "relative_last_name",
  "relative_date_of_birth"
] as const

const notices: ReadonlyArray<PublicBookingNotice> = [
  "invalid",
  "birthDate",
  "tooMany",
  "typeGone",
  "noMail",
  "wrongCode",
  "codeGone",
  "codeSent"
]
const noticeOf = ({ notice }: Visit) => notices.find((one) => one === notice) ?? null

type Typed = (name: string) => string

const parsed = (typed: Typed) => {
  const relative = ["first_name", "last_name", "date_of_birth"] as const
  const named = relative.map((name) => [name, typed(`relative_${name}`)] as const)
  return decode({
    ...Object.fromEntries(
      ["appointment_type_uid", "meeting_format", "first_name", "last_name", "email", "phone"].map((name) => [
        name,
        typed(name)
      ])
    ),
    date_of_birth: typed("date_of_birth") || null,
    relative: named.every(([, value]) => value === "") ? null : Object.fromEntries(named)
  })
}

type Types = ReadonlyArray<Pick<PublicAppointmentType, "uid" | "formats">>

/**
 * The names of the fields whose values cannot be used, at a time: nobody is born in the future, or over 130 years ago. A type is offered in
 * its own formats alone.
 */
const faultyFields = (typed: Typed, types: Types, now: number): ReadonlySet<string> => {
  const result = parsed(typed)
  const faulty = new Set(
    Either.isRight(result)
      ? []
      : ParseResult.ArrayFormatter.formatErrorSync(result.left).map(({ path }) => path.map(String).join("_"))
  )
  for (const name of ["date_of_birth", "relative_date_of_birth"])
    if (typed(name) !== "" && !isPlausibleBirth(typed(name), now)) faulty.add(name)
  const chosen = types.find(({ uid }) => uid === typed("appointment_type_uid"))
  if (chosen?.formats.some((format) => format === typed("meeting_format")) === false) faulty.add("meeting_format")
  const other = Either.isRight(result) ? result.right.relative !== null : typed("relative_first_name") !== ""
  if (!other && typed("date_of_birth") === "") faulty.add("date_of_birth")
  return faulty
}

/** The networks by which codes are counted. Rule 5.8.4. */
const networksOf = (address: Address): Networks => ({
  network: networkOf(address),
  site: wideNetworkOf(address),
  provider: providerOf(address)
})

const serve = Effect.fnUntraced(function* (router: Router) {
  const bookings = yield* PublicBookings
  const forms = yield* KeptForms
  const extensions = yield* Extensions
  const clock = yield* DomainClock
  const hosts = yield* PageHosts
  const respond = yield* Respond
  const { trustedProxies } = yield* Settings

  const addressOf = ({ code, kept }: Visit, path = "", more: Readonly<Record<string, string>> = {}) =>
    `${respond.prefix}/book/${encodeURIComponent(code)}${path}${queryText({ ...kept, ...more })}`

  const titleFor = ({ language }: Visit, title: string, notice: PublicBookingNotice | null) =>
    notice === null || notice === "codeSent" ? title : `${catalogue[language].page.attention}: ${title}`

  const form = Effect.fnUntraced(function* (visit: Visit) {
    const { types, shop } = yield* bookings.offered(visit.code)
    const host = yield* hosts.ofShop(visit.code)
    const elsewhere = yield* extensions.noTimeSuits(
      shop.organisation_uid,
      types.map(({ uid }) => uid)
    )
    const notice = noticeOf(visit)
    const entered = yield* forms.read(visit.code, visit.query.get("form") ?? "")
    const typed = (name: string) => entered[name] ?? ""
    const hasFaults = notice === "invalid" || notice === "birthDate"
    const faulty = hasFaults ? faultyFields(typed, types, yield* clock.now) : new Set<string>()
    return respond.page(visit, host, {
      title: titleFor(visit, catalogue[visit.language].publicBooking.title, notice),
      script: "appointment",
      stage: "public",
      body: (
        <PublicBookingPage
          data={{
            post: addressOf(visit),
            types: types.map((type) => inLanguage(type, visit.language)),
            typed,
            problem: notice,
            faulty,
            noneSuits: elsewhere !== null
          }}
        />
      )
    })
  })

  const codeForm = Effect.fnUntraced(function* (visit: Visit) {
    yield* bookings.offered(visit.code)
    const host = yield* hosts.ofShop(visit.code)
    const token = visit.query.get("token") ?? ""
    const notice = noticeOf(visit)
    const data = { post: addressOf(visit, "/code", { token }), problem: notice }
    return respond.page(visit, host, {
      title: titleFor(visit, catalogue[visit.language].publicBooking.codeTitle, notice),
      script: "appointment",
      stage: "public",
      body: <PublicBookingCodePage data={data} token={token} back={addressOf(visit)} />
    })
  })

  const callerOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const address = clientAddress(request, trustedProxies)
    return address === undefined ? { network: "unknown", site: "unknown", provider: "unknown" } : networksOf(address)
  })

  const toCode = (visit: Visit, notice?: PublicBookingNotice) => (token: string) => {
    const address = addressOf(visit, "/code", { token })
    return seeOther(notice === undefined ? address : withNotice(address, notice))
  }

  const begin = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const typed = (name: string) => field(name) ?? ""
    const back = Effect.fnUntraced(function* (notice: PublicBookingNotice) {
      const entered = Object.fromEntries(FIELDS.map((name) => [name, typed(name).slice(0, 255)]))
      return seeOther(withNotice(addressOf(visit, "", { form: yield* forms.keep(visit.code, entered) }), notice))
    })
    const booking = parsed(typed)
    const { types } = yield* bookings.offered(visit.code)
    if (Either.isLeft(booking) || faultyFields(typed, types, yield* clock.now).size > 0) return yield* back("invalid")
    return yield* bookings
      .begin(visit.code, booking.right, { networks: yield* callerOf, language: visit.language })
      .pipe(
        Effect.map(toCode(visit)),
        Effect.catchTag("PublicBookingRefused", ({ reason }) => back(reason))
      )
  })

  /** Enters the code, or sends another one to the same address. */
  const confirm = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const token = field("token") ?? visit.query.get("token") ?? ""
    if (field("action") === "resend")
      return yield* bookings.resend(visit.code, token, { networks: yield* callerOf, language: visit.language }).pipe(
        Effect.map(toCode(visit, "codeSent")),
        Effect.catchTag("PublicBookingRefused", ({ reason }) =>
          Effect.succeed(
            reason === "codeGone" ? seeOther(withNotice(addressOf(visit), reason)) : toCode(visit, reason)(token)
          )
        )
      )
    return yield* bookings.confirm(visit.code, token, field("code") ?? "", visit.language).pipe(
      Effect.map((code) => seeOther(`${respond.prefix}/booking/${encodeURIComponent(code)}${queryText(visit.kept)}`)),
      Effect.catchTag("PublicBookingRefused", ({ reason }) => Effect.succeed(toCode(visit, reason)(token)))
    )
  })

  const page = pageHandler(respond, "closed", hosts.ofShop)
  const { prefix, route } = respond
  yield* router.get(route("/book/:code"), page(form))
  yield* router.post(route("/book/:code"), page(begin))
  yield* router.get(route("/book/:code/code"), page(codeForm))
  yield* router.post(route("/book/:code/code"), page(confirm))
  if (prefix !== "") yield* router.get("/book/:code", redirectToPages(prefix))
})

export const PublicBookingHttp = Routes.use(serve).pipe(
  Layer.provide([KeptForms.Default, PageHosts.Default, Respond.Default])
)

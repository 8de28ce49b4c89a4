/** `{meetings_url}/book/{shop_identifier}`: booking without a partner (section 5.8). */
import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { Settings } from "../../config.ts"
import {
  PublicBookingCodePage,
  PublicBookingPage,
  type PublicBookingProblem
} from "../../pages/views/PublicBookingPage.tsx"
import { PublicBooking } from "../../schemas/hosted/PublicBooking.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { PublicBookings } from "../../services/hosted/PublicBookings.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { clientAddress, networksOf } from "../admission/clientAddress.ts"
import { pageHandler, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { readForm, type Visit } from "./serving/visit.ts"

const decode = Schema.decodeUnknownEither(PublicBooking)
const empty = () => ""

const makeHandlers = Effect.gen(function* () {
  const bookings = yield* PublicBookings
  const hosts = yield* PageHosts
  const respond = yield* Respond
  const { trustedProxies } = yield* Settings

  const addressOf = ({ code, kept }: Visit, path = "", more: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({ ...kept, ...more }).toString()
    return `${respond.prefix}/book/${encodeURIComponent(code)}${path}${query === "" ? "" : `?${query}`}`
  }

  const form = Effect.fnUntraced(function* (
    visit: Visit,
    typed: (name: string) => string,
    problem: PublicBookingProblem | null
  ) {
    const { types } = yield* bookings.offered(visit.code)
    const host = yield* hosts.ofShop(visit.code)
    const { title } = catalogue[visit.language].publicBooking
    return respond.page(visit, host, {
      title: problem === null ? title : `${catalogue[visit.language].page.attention}: ${title}`,
      script: "appointment",
      stage: "public",
      address: addressOf(visit),
      status: problem === null ? 200 : 409,
      body: <PublicBookingPage language={visit.language} data={{ post: addressOf(visit), types, typed, problem }} />
    })
  })

  const codeForm = Effect.fnUntraced(function* (visit: Visit, token: string, problem: PublicBookingProblem | null) {
    yield* bookings.offered(visit.code)
    const host = yield* hosts.ofShop(visit.code)
    const { codeTitle: title } = catalogue[visit.language].publicBooking
    const data = { post: addressOf(visit, "/code"), types: [], typed: empty, problem }
    return respond.page(visit, host, {
      title: problem === null ? title : `${catalogue[visit.language].page.attention}: ${title}`,
      script: "appointment",
      stage: "public",
      address: addressOf(visit, "/code", { token }),
      status: problem === null ? 200 : 409,
      body: <PublicBookingCodePage language={visit.language} data={data} token={token} back={addressOf(visit)} />
    })
  })

  const begin = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const typed = (name: string) => field(name) ?? ""
    const relative = ["first_name", "last_name", "date_of_birth"] as const
    const named = relative.map((name) => [name, typed(`relative_${name}`)] as const)
    const decoded = decode({
      ...Object.fromEntries(
        ["appointment_type_uid", "meeting_format", "first_name", "last_name", "email", "phone"].map((name) => [
          name,
          typed(name)
        ])
      ),
      date_of_birth: typed("date_of_birth") || null,
      relative: named.every(([, value]) => value === "") ? null : Object.fromEntries(named),
      leave_empty: typed("leave_empty")
    })
    if (Either.isLeft(decoded)) return yield* form(visit, typed, "invalid")
    const address = clientAddress(yield* HttpServerRequest.HttpServerRequest, trustedProxies)
    const networks =
      address === undefined ? { network: "unknown", site: "unknown", provider: "unknown" } : networksOf(address)
    return yield* bookings.begin(visit.code, decoded.right, { networks, language: visit.language }).pipe(
      Effect.map((token) => seeOther(addressOf(visit, "/code", { token }))),
      Effect.catchTag("PublicBookingRefused", ({ reason }) => form(visit, typed, reason))
    )
  })

  const confirm = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const token = field("token") ?? ""
    return yield* bookings.confirm(visit.code, token, field("code") ?? "", visit.language).pipe(
      Effect.map((code) => {
        const query = new URLSearchParams(visit.kept).toString()
        return seeOther(`${respond.prefix}/booking/${encodeURIComponent(code)}${query === "" ? "" : `?${query}`}`)
      }),
      Effect.catchTag("PublicBookingRefused", ({ reason }) => codeForm(visit, token, reason))
    )
  })

  const page = pageHandler(respond, "booking", hosts.ofShop)
  return {
    ...respond,
    show: page((visit) => form(visit, empty, null)),
    begin: page(begin),
    code: page((visit) => codeForm(visit, visit.query.get("token") ?? "", null)),
    confirm: page(confirm)
  }
})

const redirectToPages = (prefix: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => seeOther(`${prefix}${url}`))

export const PublicBookingHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { prefix, route, show, begin, code, confirm } = yield* makeHandlers
    yield* router.get(route("/book/:code"), show)
    yield* router.post(route("/book/:code"), begin)
    yield* router.get(route("/book/:code/code"), code)
    yield* router.post(route("/book/:code/code"), confirm)
    if (prefix !== "") yield* router.get("/book/:code", redirectToPages(prefix))
  })
)

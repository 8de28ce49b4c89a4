/** The pharmacy's workspace: orders, stock, payouts and webhooks, by the pharmacy API. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, Option, Schema } from "effect"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../../http/inRequest.ts"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { pharmacyEventTypes } from "../../../../schemas/events/Subscription.ts"
import { isText, UnixSeconds } from "../../../../schemas/fields.ts"
import { PageNotFound } from "../../../../schemas/hosted/errors.ts"
import { PharmacyOrderUid, PharmacyUid } from "../../../../schemas/ids.ts"
import { PharmacyOrderStatus } from "../../../../schemas/pharmacy/PharmacyOrderStates.ts"
import {
  BULK_LIMIT,
  BulkChanges,
  BulkResult,
  NAMES_MAX,
  type PharmacySku
} from "../../../../schemas/pharmacy/PharmacySku.ts"
import { negotiateLanguage } from "../../../../texts/language.ts"
import { InProcessApi } from "../../../shared/http/InProcessApi.ts"
import type { StaffPageContent } from "../../../shared/http/pages.ts"
import { pageOf, queryOf, searchOf, segment, withDone } from "../../../shared/http/query.ts"
import { answerOf, problemIn } from "../../../shared/http/refusals.ts"
import { addDays, dayIn, isDay, zonedInstant } from "../../../shared/pages/zoned.ts"
import { type OrderFilter, OrderListPage, OrderPage, OrdersPage } from "../../pages/pharmacy/OrdersPage.tsx"
import { PayoutsPage, sumsOf } from "../../pages/pharmacy/PayoutsPage.tsx"
import { payoutsCsv } from "../../pages/pharmacy/payoutsCsv.ts"
import { ScopePage } from "../../pages/pharmacy/ScopePage.tsx"
import { StockPage, StockPreview } from "../../pages/pharmacy/StockPage.tsx"
import { namesIn, readStock } from "../../pages/pharmacy/stockImport.ts"
import { type ConsoleTexts, consoleLanguages, consoleTexts } from "../../texts/catalogue.ts"
import { at, Console, FormRefused, outcomeOfForm, withOutcome } from "../serving/Console.tsx"
import { bodyOf, hasMore } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"
import { DELIVERIES_SHOWN, webhooksPage } from "../serving/webhooks.tsx"

const tooManyRows = {
  operation: "PATCH /v1/external_pharmacy_api/pharmacy_skus/",
  code: "invalid_request",
  details: [`rows: must have at most ${BULK_LIMIT} lines`]
}

/** Columns of the board: statuses in which the pharmacy must act, then final ones. */
const columns = ["new", "accepted", "in_preparation", "ready_for_pickup", "shipped", "completed"] as const
const PER_COLUMN = 20
const ORDERS_PER_PAGE = 25
/** Of dates in forms. */
const ZONE = "Europe/Berlin"
/** Payouts of a month that are read for its sums and its file. */
const PAYOUTS_MAX = 10_000
const PAYOUTS_PER_READ = 500
const SKUS_PER_PAGE = 25
const SKUS_PER_READ = 500
/** Longer is no name of an article. */
const NAME_MAX = 255

const resultsIn = Schema.decodeUnknownOption(Schema.Struct({ data: Schema.Array(BulkResult) }))

type Scope = { readonly urlParams: { readonly pharmacy_uid?: PharmacyUid }; readonly suffix: string }

const links = ({ pharmacy: { pages } }: ConsoleTexts) =>
  [
    ["/console/pharmacy", pages.orders],
    ["/console/pharmacy/stock", pages.stock],
    ["/console/pharmacy/payouts", pages.payouts],
    ["/console/pharmacy/webhooks", pages.webhooks]
  ] as const

/** Resolves the page's pharmacy: the staff member's own, or the one of their group that the query names. */
const scoped =
  <E, R>(make: (visitor: Visitor, scope: Scope) => Effect.Effect<StaffPageContent, E, R>) =>
  (visitor: Visitor): Effect.Effect<StaffPageContent, E, R> => {
    const { staff, query, texts } = visitor
    if (staff.pharmacy_uid !== null) return make(visitor, { urlParams: {}, suffix: "" })
    const named = query.get("pharmacy_uid")
    if (named === null)
      return Effect.succeed({
        title: texts.pharmacy.choose,
        body: <ScopePage address={visitor.address} />,
        live: false
      })
    const pharmacy_uid = PharmacyUid.make(named)
    return make(visitor, { urlParams: { pharmacy_uid }, suffix: `?${new URLSearchParams({ pharmacy_uid })}` })
  }

/** A calendar date's first second, and the last one of another date. */
const rangeOf = (from: string, to: string) => {
  const start = isDay(from) ? zonedInstant(`${from}T00:00`, ZONE) : undefined
  const end = isDay(to) ? zonedInstant(`${addDays(to, 1)}T00:00`, ZONE) : undefined
  return {
    ...(start !== undefined && { start_date: UnixSeconds.make(start) }),
    ...(end !== undefined && { end_date: UnixSeconds.make(end - 1) })
  }
}

const isStatus = Schema.is(PharmacyOrderStatus)
const filterOf = (query: URLSearchParams): OrderFilter => {
  const status = query.get("status")
  return {
    status: isStatus(status) ? status : undefined,
    search: (query.get("search") ?? "").trim(),
    from: query.get("from") ?? "",
    to: query.get("to") ?? ""
  }
}

const orderList = Effect.fnUntraced(function* ({ api, texts, query, now }: Visitor, { urlParams, suffix }: Scope) {
  const page = pageOf(query)
  const filter = filterOf(query)
  const { status, search, from, to } = filter
  const { data, totalRegistries, totalPages } = yield* api["pharmacy.orders"].list({
    urlParams: {
      ...urlParams,
      ...(status !== undefined && { status }),
      ...(search !== "" && { search }),
      ...rangeOf(from, to),
      page,
      limit: ORDERS_PER_PAGE
    }
  })
  return {
    title: texts.pharmacy.pages.orders,
    body: (
      <OrderListPage
        orders={data}
        total={totalRegistries}
        page={page}
        pages={totalPages}
        filter={filter}
        pharmacy_uid={urlParams.pharmacy_uid}
        suffix={suffix}
        now={now}
      />
    )
  }
})

/** The orders of a column: the oldest where the pharmacy must act, since the list begins with the newest. */
const columnOf = Effect.fnUntraced(function* (
  { api }: Visitor,
  { urlParams }: Scope,
  status: (typeof columns)[number]
) {
  const read = (page: number) =>
    api["pharmacy.orders"].list({ urlParams: { ...urlParams, status, page, limit: PER_COLUMN } })
  const newest = yield* read(0)
  const { totalRegistries: total, totalPages } = newest
  if (status === "completed") return { status, orders: newest.data, total }
  if (totalPages < 2) return { status, orders: newest.data.toReversed(), total }
  const last = yield* Effect.forEach([totalPages - 2, totalPages - 1], read)
  const oldest = last.flatMap(({ data }) => data).toReversed()
  return { status, orders: oldest.slice(0, PER_COLUMN), total }
})

const orders = Effect.fnUntraced(function* (visitor: Visitor, scope: Scope) {
  if (visitor.query.has("list")) return yield* orderList(visitor, scope)
  const found = yield* Effect.forEach(columns, (status) => columnOf(visitor, scope, status))
  return {
    title: visitor.texts.pharmacy.pages.orders,
    body: (
      <OrdersPage
        columns={found}
        filter={filterOf(visitor.query)}
        pharmacy_uid={scope.urlParams.pharmacy_uid}
        suffix={scope.suffix}
        now={visitor.now}
      />
    )
  }
})

const order = Effect.fnUntraced(function* ({ api, texts, now }: Visitor, { urlParams, suffix }: Scope) {
  const pharmacy_order_uid = PharmacyOrderUid.make(yield* segment("uid"))
  const found = yield* api["pharmacy.orders"].get({ path: { pharmacy_order_uid }, urlParams })
  return { title: texts.pharmacy.order, documents: true, body: <OrderPage order={found} suffix={suffix} now={now} /> }
})

const stock = Effect.fnUntraced(function* ({ api, texts, query }: Visitor, { urlParams, suffix }: Scope) {
  const page = pageOf(query)
  const { data, totalPages } = yield* api["pharmacy.skus"].list({
    urlParams: { ...urlParams, page, limit: SKUS_PER_PAGE }
  })
  return {
    title: texts.pharmacy.pages.stock,
    live: false,
    body: <StockPage skus={data} page={page} pages={totalPages} suffix={suffix} />
  }
})

/** So many at a time as one request may name. */
const inRequests = (names: ReadonlyArray<string>) => {
  const requests: Array<string> = []
  for (const name of names.filter((one) => one !== "" && one.length <= NAME_MAX && isText(one))) {
    const last = requests.at(-1)
    if (last === undefined || last.length + name.length >= NAMES_MAX) requests.push(name)
    else requests[requests.length - 1] = `${last}\n${name}`
  }
  return requests
}

/** The articles of the pharmacy that an import names. */
const namedSkus = Effect.fnUntraced(function* (
  { api }: Visitor,
  { urlParams }: Scope,
  imported: ReadonlyArray<string>
) {
  const read: Array<PharmacySku> = []
  for (const names of inRequests(imported))
    for (let page = 0, pages = 1; page < pages; page++) {
      const { data, totalPages } = yield* api["pharmacy.skus"].list({
        urlParams: { ...urlParams, names, page, limit: SKUS_PER_READ }
      })
      read.push(...data)
      pages = totalPages
    }
  return read
})

const preview = Effect.fnUntraced(function* (visitor: Visitor, scope: Scope) {
  const sent = yield* FiberRef.get(outcomeOfForm)
  const rows = (sent?.fields.get("rows") ?? sent?.fields.get("@rows"))?.[0] ?? ""
  const changes = readStock(rows, yield* namedSkus(visitor, scope, namesIn(rows)), visitor.language)
  return {
    title: visitor.texts.pharmacy.importTitle,
    live: false,
    body: <StockPreview rows={rows} changes={changes} suffix={scope.suffix} />
  }
})

const monthOf = (query: URLSearchParams, now: number) => {
  const asked = query.get("month")
  return isDay(`${asked}-01`) ? (asked ?? "") : dayIn(now, ZONE).slice(0, 7)
}
const besides = (month: string) => ({
  before: addDays(`${month}-01`, -1).slice(0, 7),
  after: addDays(`${month}-01`, 31).slice(0, 7)
})

/** The payouts that a page's query names: those of a month, of one status or of all. */
const payoutQuery = ({ query, now }: Pick<Visitor, "query" | "now">, { urlParams }: Scope) => {
  const status = (["projected", "routed"] as const).find((one) => one === query.get("status"))
  const month = monthOf(query, now)
  const range = rangeOf(`${month}-01`, addDays(`${besides(month).after}-01`, -1))
  return {
    ...urlParams,
    ...range,
    ...(status !== undefined && { status }),
    sort_by: "pharmacy_order_created_at" as const,
    sort_direction: "desc" as const
  }
}

/** All payouts of the page's query; null if there are too many to be read at once. */
const allPayouts = Effect.fnUntraced(function* (visitor: Pick<Visitor, "api" | "query" | "now">, scope: Scope) {
  const read = (page: number) =>
    visitor.api["pharmacy.orders"].payouts({
      urlParams: { ...payoutQuery(visitor, scope), page, limit: PAYOUTS_PER_READ }
    })
  const first = yield* read(0)
  if (first.totalRegistries > PAYOUTS_MAX) return null
  const all = [...first.data]
  for (let page = 1; page < first.totalPages; page++) all.push(...(yield* read(page)).data)
  return all
})

const payouts = Effect.fnUntraced(function* (visitor: Visitor, scope: Scope) {
  const { api, texts, query, now } = visitor
  const { urlParams } = scope
  const page = pageOf(query)
  const wanted = payoutQuery(visitor, scope)
  const { status = null } = wanted
  const month = monthOf(query, now)
  const all = yield* allPayouts(visitor, scope)
  // an order's parts stay on one page
  const orders = all && [...Map.groupBy(all, ({ pharmacy_order_uid }) => pharmacy_order_uid).values()]
  const { data, totalPages } =
    orders === null
      ? yield* api["pharmacy.orders"].payouts({ urlParams: { ...wanted, page, limit: 2 * ORDERS_PER_PAGE } })
      : {
          data: orders.slice(page * ORDERS_PER_PAGE, (page + 1) * ORDERS_PER_PAGE).flat(),
          totalPages: Math.ceil(orders.length / ORDERS_PER_PAGE)
        }
  const csv = `/console/pharmacy/payouts.csv?${new URLSearchParams({
    month,
    ...(status !== null && { status }),
    ...(urlParams.pharmacy_uid !== undefined && { pharmacy_uid: urlParams.pharmacy_uid })
  })}`
  return {
    title: texts.pharmacy.pages.payouts,
    body: (
      <PayoutsPage
        payouts={data}
        status={status}
        month={month}
        months={besides(month)}
        sums={all && sumsOf(all)}
        page={page}
        pages={totalPages}
        csv={csv}
        pharmacy_uid={urlParams.pharmacy_uid}
      />
    )
  }
})

const webhooks = Effect.fnUntraced(function* (visitor: Visitor, { urlParams, suffix }: Scope) {
  const { api } = visitor
  const { data } = yield* api["pharmacy.webhooks"].list({ urlParams })
  return yield* webhooksPage(
    visitor,
    {
      path: "/v1/external_pharmacy_api/webhooks/",
      suffix,
      title: visitor.texts.pharmacy.pages.webhooks,
      subscriptions: data.map((one) => ({ ...one, types: one.event_types })),
      typesField: "event_types",
      types: pharmacyEventTypes()
    },
    {
      deliveries: (subscription_uid) =>
        api["pharmacy.webhooks"].deliveries({
          path: { subscription_uid },
          urlParams: { ...urlParams, page: 0, limit: DELIVERIES_SHOWN }
        }),
      delivery: (subscription_uid, delivery_uid) =>
        api["pharmacy.webhooks"].delivery({ path: { subscription_uid, delivery_uid }, urlParams })
    }
  )
})

export const PharmacyWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { page, form, signedIn, inWorkspace, now } = yield* Console
    const { page: shown, client, send } = yield* InProcessApi

    const payoutFile = Effect.fnUntraced(function* (staff: StaffMember, chosen: string | null) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const query = yield* queryOf
      const language = negotiateLanguage({
        chosen: chosen ?? undefined,
        acceptLanguage: headers["accept-language"],
        among: consoleLanguages
      })
      const named = staff.pharmacy_uid === null ? query.get("pharmacy_uid") : null
      if (staff.pharmacy_uid === null && named === null) return yield* new PageNotFound()
      const scope: Scope = { urlParams: named === null ? {} : { pharmacy_uid: PharmacyUid.make(named) }, suffix: "" }
      const all = yield* allPayouts({ api: yield* client, query, now: yield* now }, scope)
      const { pharmacy: texts } = consoleTexts(language)
      if (all === null) return HttpServerResponse.text(texts.tooManyPayouts, { status: 400 })
      return HttpServerResponse.text(payoutsCsv(all, language, ZONE, texts), {
        contentType: "text/csv; charset=utf-8",
        headers: { "content-disposition": `attachment; filename="payouts.csv"` }
      })
    })
    yield* router.get(at("pharmacy"), page("pharmacy", links, scoped(orders)))
    yield* router.get(at("pharmacy/orders/:uid"), page("pharmacy", links, scoped(order)))
    yield* router.get(at("pharmacy/stock"), page("pharmacy", links, scoped(stock)))
    yield* router.get(at("pharmacy/stock/preview"), page("pharmacy", links, scoped(preview)))
    yield* router.get(at("pharmacy/payouts"), page("pharmacy", links, scoped(payouts)))
    yield* router.get(at("pharmacy/webhooks"), page("pharmacy", links, scoped(webhooks)))
    yield* router.post(
      at("pharmacy/stock/preview"),
      form("pharmacy", (fields) =>
        Effect.flatMap(searchOf, (search) => {
          const tooMany = hasMore(fields.get("rows")?.[0] ?? "", "\n", BULK_LIMIT)
          return tooMany
            ? new FormRefused({
                address: `/console/pharmacy/stock${search}`,
                status: 400,
                problem: tooManyRows,
                fields
              })
            : withOutcome(shown(`/console/pharmacy/stock/preview${search}`), { status: 200, problem: null, fields })
        })
      )
    )
    /** Applies an import; if an article was changed since the preview, it stays as it is, and the preview says what is left. */
    yield* router.post(
      at("pharmacy/stock/apply"),
      form("pharmacy", (fields) =>
        Effect.gen(function* () {
          const search = yield* searchOf
          const operation = "PATCH /v1/external_pharmacy_api/pharmacy_skus/"
          const response = yield* send(
            "PATCH",
            `/v1/external_pharmacy_api/pharmacy_skus/${search}`,
            bodyOf(BulkChanges, fields)
          )
          const answer = yield* answerOf(response)
          const results = Option.getOrElse(resultsIn(answer), () => ({ data: [] })).data
          if (response.status < 300 && results.every(({ status }) => status === 200))
            return seeOther(withDone(`/console/pharmacy/stock${search}`))
          const isStale = results.some(({ status }) => status === 412)
          const problem = isStale
            ? { operation, code: "rows_changed", details: [] }
            : { ...problemIn(operation, answer), details: results.flatMap(({ error }) => error) }
          const status = isStale ? 412 : Math.max(response.status, 400)
          return yield* withOutcome(shown(`/console/pharmacy/stock/preview${search}`), { status, problem, fields })
        })
      )
    )
    /** The payouts of the page as a file, in the page's language. */
    yield* router.get(
      at("pharmacy/payouts.csv"),
      signedIn(inWorkspace("pharmacy", (staff, { session }) => payoutFile(staff, session.language)))
    )
  })
)

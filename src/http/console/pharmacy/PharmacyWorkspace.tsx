/** The pharmacy's workspace: orders, stock, payouts and webhooks, by the pharmacy API. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect, FiberRef } from "effect"
import { Webhooks } from "../../../pages/console/parts/Webhooks.tsx"
import { OrderPage, OrdersPage } from "../../../pages/console/pharmacy/OrdersPage.tsx"
import { PayoutsPage } from "../../../pages/console/pharmacy/PayoutsPage.tsx"
import { ScopePage } from "../../../pages/console/pharmacy/ScopePage.tsx"
import { StockPage, StockPreview } from "../../../pages/console/pharmacy/StockPage.tsx"
import { namesIn, readStock } from "../../../pages/console/pharmacy/stockImport.ts"
import { pharmacyEventTypes } from "../../../schemas/events/Subscription.ts"
import { isText } from "../../../schemas/fields.ts"
import { PharmacyOrderUid, PharmacyUid, SubscriptionUid } from "../../../schemas/ids.ts"
import { BULK_LIMIT, NAMES_MAX, type PharmacySku } from "../../../schemas/pharmacy/PharmacySku.ts"
import type { ConsoleTexts } from "../../../texts/console/catalogue.ts"
import { at, Console, type ConsoleContent, outcomeOfForm, type Visitor } from "../serving/Console.tsx"
import { payloadOf } from "../serving/deliveries.ts"
import { hasMore } from "../serving/formFields.ts"
import { InProcessApi } from "../serving/InProcessApi.ts"
import { pageOf, searchOf, segment } from "../serving/query.ts"

const tooManyRows = {
  operation: "PATCH /v1/external_pharmacy_api/pharmacy_skus/",
  code: "invalid_request",
  details: [`rows: must have at most ${BULK_LIMIT} lines`]
}

/** Columns of the board: statuses in which the pharmacy must act, then final ones. */
const columns = ["new", "accepted", "in_preparation", "ready_for_pickup", "shipped", "completed"] as const
const PER_COLUMN = 20
const SKUS_PER_PAGE = 25
const SKUS_PER_READ = 500
/** Longer is no name of an article. */
const NAME_MAX = 255

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
  <E, R>(make: (visitor: Visitor, scope: Scope) => Effect.Effect<ConsoleContent, E, R>) =>
  (visitor: Visitor): Effect.Effect<ConsoleContent, E, R> => {
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

const orders = Effect.fnUntraced(function* ({ api, texts }: Visitor, { urlParams, suffix }: Scope) {
  const found = yield* Effect.forEach(columns, (status) =>
    Effect.map(
      api["pharmacy.orders"].list({ urlParams: { ...urlParams, status, page: 0, limit: PER_COLUMN } }),
      ({ data, totalRegistries }) => ({ status, orders: data, total: totalRegistries })
    )
  )
  return { title: texts.pharmacy.pages.orders, body: <OrdersPage columns={found} suffix={suffix} /> }
})

const order = Effect.fnUntraced(function* ({ api, texts }: Visitor, { urlParams, suffix }: Scope) {
  const pharmacy_order_uid = PharmacyOrderUid.make(yield* segment("uid"))
  const found = yield* api["pharmacy.orders"].get({ path: { pharmacy_order_uid }, urlParams })
  return { title: texts.pharmacy.order, documents: true, body: <OrderPage order={found} suffix={suffix} /> }
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
  const rows = sent?.fields.get("rows")?.[0] ?? ""
  const changes = readStock(rows, yield* namedSkus(visitor, scope, namesIn(rows)))
  return {
    title: visitor.texts.pharmacy.importTitle,
    live: false,
    body: <StockPreview changes={changes} suffix={scope.suffix} />
  }
})

const payouts = Effect.fnUntraced(function* ({ api, texts, query }: Visitor, { urlParams }: Scope) {
  const page = pageOf(query)
  const status = ["projected", "routed"].find((one) => one === query.get("status")) as
    | "projected"
    | "routed"
    | undefined // of the list
  const { data, totalPages } = yield* api["pharmacy.orders"].payouts({
    urlParams: {
      ...urlParams,
      ...(status !== undefined && { status }),
      page,
      limit: 50,
      sort_by: "pharmacy_order_created_at",
      sort_direction: "desc"
    }
  })
  const csv = `/console/pharmacy/payouts.csv?${new URLSearchParams({
    ...(status !== undefined && { status }),
    ...(urlParams.pharmacy_uid !== undefined && { pharmacy_uid: urlParams.pharmacy_uid })
  })}`
  return {
    title: texts.pharmacy.pages.payouts,
    body: <PayoutsPage payouts={data} status={status ?? null} page={page} pages={totalPages} csv={csv} />
  }
})

const webhooks = Effect.fnUntraced(function* ({ api, texts, query }: Visitor, { urlParams, suffix }: Scope) {
  const { data } = yield* api["pharmacy.webhooks"].list({ urlParams })
  const chosen = query.get("subscription")
  const deliveries =
    chosen === null
      ? []
      : (yield* api["pharmacy.webhooks"].deliveries({
          path: { subscription_uid: SubscriptionUid.make(chosen) },
          urlParams: { ...urlParams, page: 0, limit: 30 }
        })).data
  const payload = yield* payloadOf(query, deliveries, (delivery_uid) =>
    api["pharmacy.webhooks"].delivery({
      path: { subscription_uid: SubscriptionUid.make(chosen ?? ""), delivery_uid },
      urlParams
    })
  )
  return {
    title: texts.pharmacy.pages.webhooks,
    body: (
      <Webhooks
        path="/v1/external_pharmacy_api/webhooks/"
        suffix={suffix}
        title={texts.pharmacy.pages.webhooks}
        subscriptions={data.map((one) => ({ ...one, types: one.event_types }))}
        typesField="event_types"
        types={pharmacyEventTypes}
        chosen={chosen}
        deliveries={deliveries}
        payload={payload}
      />
    )
  }
})

export const PharmacyWorkspace = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { page, form, signedIn, inWorkspace } = yield* Console
    const { page: shown, send } = yield* InProcessApi
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
          const outcome = tooMany
            ? { status: 400, problem: tooManyRows, fields: new Map() }
            : { status: 200, problem: null, fields }
          const address = `/console/pharmacy/stock${tooMany ? "" : "/preview"}${search}`
          return Effect.locally(shown(address), outcomeOfForm, { ...outcome, shown: null })
        })
      )
    )
    /** The payout statement as CSV, as the API returns it. */
    yield* router.get(
      at("pharmacy/payouts.csv"),
      signedIn(
        inWorkspace("pharmacy", () =>
          Effect.flatMap(searchOf, (search) =>
            send("GET", `/v1/external_pharmacy_api/payouts${search}`, null, "text/csv")
          )
        )
      )
    )
  })
)

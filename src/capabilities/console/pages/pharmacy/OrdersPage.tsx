import { articleName } from "../../../../schemas/pharmacy/articleName.ts"
import type { PharmacyOrder } from "../../../../schemas/pharmacy/PharmacyOrder.ts"
import {
  isFinalOrder,
  isVoid,
  PharmacyOrderStatus,
  pharmacyOrderTransitions
} from "../../../../schemas/pharmacy/PharmacyOrderStates.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import {
  Card,
  Do,
  Empty,
  Field,
  Hidden,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk
} from "../../../shared/pages/Desk.tsx"
import { countryName, moment, money } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Table } from "../../../shared/pages/Table.tsx"
import { Pdf } from "../parts/Pdf.tsx"
import { useTexts } from "../useTexts.ts"

export const ORDERS = "/v1/external_pharmacy_api/pharmacy_orders"

interface StepsProps {
  readonly order: PharmacyOrder
  readonly suffix: string
}

/** The transitions of the order's status that a person may take now. */
const stepsOf = ({ status, shop_change, paid }: PharmacyOrder) =>
  pharmacyOrderTransitions.filter(
    ({ from, to, trigger }) =>
      from === status && (shop_change === null || isVoid(to)) && (trigger === "set_status" || paid)
  )

/** The next step, where it has no effect outside of the pharmacy: one press. Shipping needs a tracking number, and has a page. */
const NextStep = ({ order, suffix }: StepsProps) => {
  const { pharmacy: texts } = useTexts()
  const targets = stepsOf(order).map(({ to }) => to)
  const next = (["accepted", "in_preparation"] as const).find((to) => targets.includes(to))
  if (next === undefined) return null
  const text = texts.steps[next]
  return (
    <Press
      operation={`PATCH ${ORDERS}/${order.uid}/status${suffix}`}
      hidden={{ status: next }}
      text={text}
      label={`${text}: ${order.name}`}
    />
  )
}

/** Takes the last step back, for the ten seconds in which that is possible. */
const Undo = ({ order, suffix, now }: StepsProps & { readonly now: number }) => {
  const { pharmacy: texts } = useTexts()
  if (order.undo === null || order.undo.until < now) return null
  return (
    <span class="undo">
      <Press
        operation={`PATCH ${ORDERS}/${order.uid}/undo${suffix}`}
        text={texts.undo}
        label={`${texts.undo}: ${order.name}`}
        look="quiet"
      />
    </span>
  )
}

/** What the pharmacy has reported, in a few words. */
const ProblemBadge = ({ order: { problem, lines } }: { readonly order: PharmacyOrder }) => {
  const { pharmacy: texts } = useTexts()
  if (problem === null) return null
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const missing = problem.missing.reduce((sum, { quantity }) => sum + quantity, 0)
  const text = missing === 0 ? texts.problem.badge : missing < units ? texts.problem.partly : texts.problem.nothing
  return (
    <>
      {" "}
      <span class="badge warn">{text}</span>
    </>
  )
}

/** What is missing per line, and a message: sent to the shop, and over once it is emptied. */
const ProblemCard = ({ order, suffix }: StepsProps) => {
  const { pharmacy: texts } = useTexts()
  const { language, zone } = useDesk()
  const operation = `PATCH ${ORDERS}/${order.uid}/problem${suffix}`
  const { problem } = order
  const missing = (line: string) => problem?.missing.find(({ line_uid }) => line_uid === line)?.quantity
  return (
    <Card id="problem" title={texts.problem.title}>
      {problem === null ? null : <p>{fill(texts.problem.since, { time: moment(language, zone, problem.since) })}</p>}
      <details open={problem !== null}>
        <summary>{problem === null ? texts.problem.report : texts.problem.change}</summary>
        <Do operation={operation} label={texts.problem.title}>
          <p class="help">{texts.problem.help}</p>
          {order.lines.map((line) => (
            <Field
              key={line.uid}
              label={fill(texts.problem.missing, {
                article: articleName(line.product_display_name, line.display_name),
                n: String(line.quantity)
              })}
              name={`missing@each.line_uid.quantity.${line.uid}`}
              type="number"
              min={0}
              max={line.quantity}
              value={missing(line.uid)}
            />
          ))}
          <Field label={texts.problem.message} name="message" rows={2} value={problem?.message} />
          <Submit text={texts.problem.send} look="secondary" />
        </Do>
        {problem === null ? null : (
          <Press operation={operation} hidden={{ message: "" }} text={texts.problem.over} look="quiet" />
        )}
      </details>
    </Card>
  )
}

/** A step that cannot be undone: opens the question, which names the order. */
const Question = ({
  order,
  suffix,
  to
}: StepsProps & { readonly to: "ready_for_pickup" | "completed" | "rejected" | "cancelled" }) => {
  const { pharmacy: texts } = useTexts()
  const { language } = useDesk()
  const amount = money(language, order.paid_amount, order.currency)
  const ends = to === "rejected" || to === "cancelled"
  const operation =
    to === "completed"
      ? `PATCH ${ORDERS}/${order.uid}/complete_order${suffix}`
      : `PATCH ${ORDERS}/${order.uid}/status${suffix}`
  return (
    <details>
      <summary>{texts.steps[to]}</summary>
      <Do operation={operation} hidden={to === "completed" ? {} : { status: to }}>
        <p>{fill(texts.questions[to], { order: order.name })}</p>
        {ends ? (
          <>
            <p>{order.paid ? fill(texts.money.paid, { amount }) : texts.money.unpaid}</p>
            <Field label={texts.reason} name="reason" required />
          </>
        ) : null}
        <Submit text={`${texts.steps[to]}: ${order.name}`} look={ends ? "primary danger" : "primary"} />
      </Do>
    </details>
  )
}

/** All steps of an order, those that cannot be undone with a question. */
const Steps = ({ order, suffix }: StepsProps) => {
  const ends = ["ready_for_pickup", "completed", "rejected", "cancelled"] as const
  const targets = new Set(stepsOf(order).map(({ to }) => to))
  return (
    <>
      <NextStep order={order} suffix={suffix} />
      {ends.map((to) => (targets.has(to) ? <Question key={to} order={order} suffix={suffix} to={to} /> : null))}
    </>
  )
}

/** A change in the shop that waits for a person: what is to be delivered now, and the button that accepts it. */
const ShopChangeCard = ({ order, suffix }: StepsProps) => {
  const { pharmacy: texts } = useTexts()
  const { language, zone } = useDesk()
  const { shop_change: change, currency } = order
  if (change === null) return null
  return (
    <Card id="shop-change" title={texts.change.title}>
      <p>{texts.change.reasons[change.reason]}</p>
      <p class="help">
        {moment(language, zone, change.since)} · {texts.change.paidNow}: {money(language, order.paid_amount, currency)}
        {order.refunded_amount > 0
          ? ` · ${texts.change.refunded}: ${money(language, order.refunded_amount, currency)}`
          : null}
      </p>
      {change.lines === null || change.lines.length === 0 ? null : (
        <Table
          label={texts.change.now}
          caption={texts.change.now}
          columns={[{ number: texts.amount }, texts.article, { number: texts.sum }]}
        >
          {change.lines.map((line, i) => (
            <tr key={`${line.sku_uid} ${i}`}>
              <td class="number">{line.quantity}</td>
              <td>{line.display_name}</td>
              <td class="number">{money(language, line.total_price, currency)}</td>
            </tr>
          ))}
        </Table>
      )}
      {change.reason === "anamnesis_required" ? null : (
        <Press
          operation={`PATCH ${ORDERS}/${order.uid}/accept_change${suffix}`}
          hidden={{ uid: change.uid }}
          text={change.lines?.length === 0 ? texts.change.acceptNothing : texts.change.accept}
          look="primary"
        />
      )}
    </Card>
  )
}

/** Days after which an open order is marked as late. */
const LATE_DAYS = 2

/** Articles of an order that are named on the board. */
const ARTICLES_SHOWN = 3

/** For whom it is, what is in it, and how it gets there. */
const OrderContent = ({ order }: { readonly order: PharmacyOrder }) => {
  const { pharmacy: texts } = useTexts()
  const { patient, lines, shipping_address } = order
  const articles = lines.map(({ quantity, product_display_name, display_name }) =>
    [quantity > 1 ? `${quantity} ×` : null, articleName(product_display_name, display_name)].filter(Boolean).join(" ")
  )
  const more = articles.length - ARTICLES_SHOWN
  return (
    <>
      {[patient?.first_name, patient?.last_name].filter(Boolean).join(" ")}
      {` · ${shipping_address === null ? texts.pickup : texts.delivery}`}
      <br />
      {[
        ...articles.slice(0, ARTICLES_SHOWN),
        ...(more > 0 ? [fill(texts.moreArticles, { n: String(more) })] : [])
      ].join(", ")}
      <br />
    </>
  )
}

/** When it came, how long it has waited while it is open, and whether it is paid. */
const OrderFacts = ({ order, now }: { readonly order: PharmacyOrder; readonly now: number }) => {
  const { pharmacy: texts } = useTexts()
  const { language, zone } = useDesk()
  const days = Math.floor((now - order.created_at) / DAY)
  return (
    <span class="help">
      {moment(language, zone, order.created_at)} · {order.paid ? texts.paid : texts.unpaid}
      {order.shop_change === null ? null : ` · ${texts.change.title}`}
      <ProblemBadge order={order} />
      {isFinalOrder(order.status) || days < 1 ? null : (
        <>
          {" "}
          <span class={days >= LATE_DAYS ? "badge warn" : "badge"}>{plural(language, texts.age, days)}</span>
        </>
      )}
    </span>
  )
}

interface FilterProps {
  readonly filter: OrderFilter
  readonly pharmacy_uid: string | undefined
}

/** What is searched for. */
export interface OrderFilter {
  readonly status: PharmacyOrderStatus | undefined
  readonly search: string
  /** Calendar dates, empty where open. */
  readonly from: string
  readonly to: string
}

const OrderSearch = ({ filter, pharmacy_uid }: FilterProps) => {
  const { pharmacy: texts } = useTexts()
  return (
    <form method="get" action="/console/pharmacy" class="card">
      <div class="entries">
        <Hidden fields={{ pharmacy_uid }} />
        <Field label={texts.search} name="search" type="search" value={filter.search} />
        <Field
          label={texts.status}
          name="status"
          value={filter.status}
          options={[
            ["", texts.allOrders],
            ...PharmacyOrderStatus.literals.map((one) => [one, texts.statuses[one]] as const)
          ]}
        />
        <Field label={texts.from} name="from" type="date" value={filter.from} />
        <Field label={texts.to} name="to" type="date" value={filter.to} />
        <button type="submit" name="list" value="1" class="secondary">
          {texts.find}
        </button>
      </div>
    </form>
  )
}

interface BoardProps extends FilterProps {
  readonly columns: ReadonlyArray<{
    readonly status: PharmacyOrderStatus
    readonly orders: ReadonlyArray<PharmacyOrder>
    readonly total: number
  }>
  readonly suffix: string
  readonly now: number
}

/** Orders by status, those that have waited longest first. Every order is in a list behind them. */
export const OrdersPage = ({ columns, suffix, now, ...search }: BoardProps) => {
  const { pharmacy: texts } = useTexts()
  const address = useAddress()
  return (
    <>
      <PageHead title={texts.pages.orders} />
      <OrderSearch {...search} />
      {columns.every(({ total }) => total === 0) ? <Empty what="orders" /> : null}
      <div class="board">
        {columns.map(({ status, orders, total }) => (
          <section key={status} class="card" aria-labelledby={`status-${status}`}>
            <h2 id={`status-${status}`}>
              {texts.statuses[status]} <span class="badge">{total}</span>
            </h2>
            <Rows of={orders} empty={{ what: "column" }}>
              {(order) => (
                <li key={order.uid}>
                  <span class="grow">
                    <a href={`/console/pharmacy/orders/${order.uid}${suffix}`}>{order.name}</a>
                    <br />
                    <OrderContent order={order} />
                    <OrderFacts order={order} now={now} />
                  </span>
                  <NextStep order={order} suffix={suffix} />
                  <Undo order={order} suffix={suffix} now={now} />
                </li>
              )}
            </Rows>
            {total > orders.length ? (
              <p>
                <a href={address({ status, list: 1 })}>{fill(texts.showAll, { n: String(total) })}</a>
              </p>
            ) : null}
          </section>
        ))}
      </div>
    </>
  )
}

interface ListProps extends FilterProps {
  readonly orders: ReadonlyArray<PharmacyOrder>
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly suffix: string
  readonly now: number
}

/** The orders of a search, newest first, page by page. */
export const OrderListPage = ({ orders, total, page, pages, suffix, now, ...search }: ListProps) => {
  const { pharmacy: texts } = useTexts()
  const { language } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.orders}>
        <a class="quiet" href={`/console/pharmacy${suffix}`}>
          {texts.board}
        </a>
      </PageHead>
      <OrderSearch {...search} />
      <Card id="found" title={plural(language, texts.found, total)}>
        <Rows of={orders} empty={{ what: "filtered", to: `/console/pharmacy${suffix}` }}>
          {(order) => (
            <li key={order.uid}>
              <span class="grow">
                <a href={`/console/pharmacy/orders/${order.uid}${suffix}`}>{order.name}</a>{" "}
                {[order.patient?.first_name, order.patient?.last_name].filter(Boolean).join(" ")}
                <br />
                <OrderFacts order={order} now={now} />
              </span>
              <span class="badge">{texts.statuses[order.status]}</span>
              <NextStep order={order} suffix={suffix} />
              <Undo order={order} suffix={suffix} now={now} />
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
    </>
  )
}

/** One order: picking list, prescription, address, tracking. */
export const OrderPage = ({ order, suffix, now }: StepsProps & { readonly now: number }) => {
  const { pharmacy: texts } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const { patient, shipping_address, prescription_file: file } = order
  const canShip =
    order.shop_change === null &&
    pharmacyOrderTransitions.some(({ from, to }) => from === order.status && to === "shipped")
  return (
    <>
      <PageHead title={order.name}>
        <span class="badge">{texts.statuses[order.status]}</span>
        {order.status_reason === null ? null : <span class="help">{order.status_reason}</span>}
        <ProblemBadge order={order} />
        <span class="actions">
          <Undo order={order} suffix={suffix} now={now} />
          <Steps order={order} suffix={suffix} />
        </span>
      </PageHead>
      <ShopChangeCard order={order} suffix={suffix} />
      <div class="board two">
        <div class="card">
          <Table
            label={texts.pickingList}
            caption={texts.pickingList}
            columns={[{ number: texts.amount }, texts.article, "PZN", texts.place, { number: texts.sum }]}
          >
            {order.lines.map((line) => (
              <tr key={line.uid}>
                <td class="number">{line.quantity}</td>
                <td>{articleName(line.product_display_name, line.display_name)}</td>
                <td>{line.pzn ?? "–"}</td>
                <td>{line.external_id ?? "–"}</td>
                <td class="number">{money(language, line.total_price, order.currency)}</td>
              </tr>
            ))}
          </Table>
          <p class="help">
            {moment(language, zone, order.created_at)} · {order.paid ? texts.paid : texts.unpaid}
          </p>
          <p class="actions">
            <a class="secondary" href={address({ print: 1 })} data-print>
              {texts.print}
            </a>
          </p>
        </div>
        <Card id="delivery" title={texts.address}>
          <p>
            {[patient?.first_name, patient?.last_name].filter(Boolean).join(" ")}
            {shipping_address === null
              ? null
              : [
                  shipping_address.address1,
                  [shipping_address.zip, shipping_address.city].filter(Boolean).join(" "),
                  countryName(language, shipping_address.country_code ?? "")
                ]
                  .filter(Boolean)
                  .map((line) => (
                    <span key={line}>
                      <br />
                      {line}
                    </span>
                  ))}
          </p>
          {canShip ? (
            <Do operation={`PATCH ${ORDERS}/${order.uid}/status${suffix}`} hidden={{ status: "shipped" }}>
              <Field label={texts.carrier} name="tracking.carrier" value="DHL" required />
              <Field label={texts.tracking} name="tracking.number" required />
              <Submit text={`${texts.steps.shipped}: ${order.name}`} />
            </Do>
          ) : null}
          {order.status === "shipped" || order.status === "completed" ? (
            <Do operation={`PATCH ${ORDERS}/${order.uid}/tracking${suffix}`}>
              <Field label={texts.carrier} name="carrier" value={order.tracking?.carrier ?? "DHL"} required />
              <Field label={texts.tracking} name="number" value={order.tracking?.number} required />
              <Submit text={texts.saveTracking} look="secondary" />
            </Do>
          ) : null}
        </Card>
        {isFinalOrder(order.status) ? null : <ProblemCard order={order} suffix={suffix} />}
        <Card id="prescription" title={texts.prescription}>
          {file === null ? (
            <p class="help">{texts.noPrescription}</p>
          ) : (
            <Pdf url={file.url} label={texts.prescription} />
          )}
        </Card>
      </div>
    </>
  )
}

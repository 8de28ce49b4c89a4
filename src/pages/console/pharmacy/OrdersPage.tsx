import type { PharmacyOrder } from "../../../schemas/pharmacy/PharmacyOrder.ts"
import {
  isVoid,
  type PharmacyOrderStatus,
  pharmacyOrderTransitions
} from "../../../schemas/pharmacy/PharmacyOrderStates.ts"
import { Card, Do, Field, PageHead, Press, Rows, Submit, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { moment, money } from "../parts/format.ts"
import { Pdf } from "../parts/Pdf.tsx"
import { Table } from "../parts/Table.tsx"

export const ORDERS = "/v1/external_pharmacy_api/pharmacy_orders"

interface StepsProps {
  readonly order: PharmacyOrder
  readonly suffix: string
}

const mainSteps: ReadonlyArray<PharmacyOrderStatus> = [
  "accepted",
  "in_preparation",
  "ready_for_pickup",
  "shipped",
  "completed"
]

/** The allowed transitions of the order's status, as buttons. */
export const Steps = ({ order, suffix }: StepsProps) => {
  const { pharmacy: texts } = useTexts()
  const isHeld = order.shop_change !== null
  const steps = pharmacyOrderTransitions.filter(({ from, to }) => from === order.status && (!isHeld || isVoid(to)))
  const names: Readonly<Record<string, string>> = texts.steps
  return (
    <>
      {steps.map(({ to, trigger }) =>
        trigger === "complete_order" ? (
          order.paid ? (
            <Press
              key={to}
              operation={`PATCH ${ORDERS}/${order.uid}/complete_order${suffix}`}
              text={texts.steps.completed}
              label={`${texts.steps.completed}: ${order.name}`}
              look="primary"
            />
          ) : null
        ) : (
          <Press
            key={to}
            operation={`PATCH ${ORDERS}/${order.uid}/status${suffix}`}
            hidden={{ status: to }}
            text={names[to] ?? to}
            label={`${names[to] ?? to}: ${order.name}`}
            look={mainSteps.includes(to) ? "secondary" : "quiet"}
          />
        )
      )}
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

interface BoardProps {
  readonly columns: ReadonlyArray<{
    readonly status: PharmacyOrderStatus
    readonly orders: ReadonlyArray<PharmacyOrder>
    readonly total: number
  }>
  readonly suffix: string
}

/** Orders by status. */
export const OrdersPage = ({ columns, suffix }: BoardProps) => {
  const { pharmacy: texts } = useTexts()
  const { language, zone } = useDesk()
  const query = suffix
  return (
    <>
      <PageHead title={texts.pages.orders} />
      <div class="board">
        {columns.map(({ status, orders, total }) => (
          <section key={status} class="card" aria-labelledby={`status-${status}`}>
            <h2 id={`status-${status}`}>
              {texts.statuses[status]} <span class="badge">{total}</span>
            </h2>
            <Rows of={orders}>
              {(order) => (
                <li key={order.uid}>
                  <span class="grow">
                    <a href={`/console/pharmacy/orders/${order.uid}${query}`}>{order.name}</a>
                    <br />
                    <span class="help">
                      {moment(language, zone, order.created_at)} · {order.paid ? texts.paid : texts.unpaid}
                      {order.shop_change === null ? null : ` · ${texts.change.title}`}
                    </span>
                  </span>
                  <Steps order={order} suffix={suffix} />
                </li>
              )}
            </Rows>
          </section>
        ))}
      </div>
    </>
  )
}

/** One order: picking list, prescription, address, tracking. */
export const OrderPage = ({ order, suffix }: StepsProps) => {
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
        <span class="actions">
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
                <td>{line.display_name}</td>
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
              : ["address1", "zip", "city", "country_code"].map((part) =>
                  shipping_address[part] ? (
                    <span key={part}>
                      <br />
                      {shipping_address[part]}
                    </span>
                  ) : null
                )}
          </p>
          {order.tracking === null ? null : (
            <p>
              {texts.tracking}: {order.tracking.carrier} {order.tracking.number}
            </p>
          )}
          {canShip ? (
            <Do operation={`PATCH ${ORDERS}/${order.uid}/status${suffix}`} hidden={{ status: "shipped" }} class="stack">
              <Field label={texts.carrier} name="tracking.carrier" value="DHL" />
              <Field label={texts.tracking} name="tracking.number" required />
              <Submit text={texts.steps.shipped} />
            </Do>
          ) : null}
        </Card>
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

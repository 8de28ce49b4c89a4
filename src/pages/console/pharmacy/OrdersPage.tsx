import type { PharmacyOrder } from "../../../schemas/pharmacy/PharmacyOrder.ts"
import { type PharmacyOrderStatus, pharmacyOrderTransitions } from "../../../schemas/pharmacy/PharmacyOrderStates.ts"
import { Do, Field, Press, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { moment, money } from "../parts/format.ts"
import { Pdf } from "../parts/Pdf.tsx"
import { Scroll } from "../parts/Scroll.tsx"

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
  const steps = pharmacyOrderTransitions.filter(({ from }) => from === order.status)
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
  const { pharmacy: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  const query = suffix
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.orders}</h1>
      </header>
      <div class="board">
        {columns.map(({ status, orders, total }) => (
          <section key={status} class="card" aria-labelledby={`status-${status}`}>
            <h2 id={`status-${status}`}>
              {texts.statuses[status]} <span class="badge">{total}</span>
            </h2>
            {orders.length === 0 ? <p class="help">{frame.none}</p> : null}
            <ul class="rows">
              {orders.map((order) => (
                <li key={order.uid}>
                  <span class="grow">
                    <a href={`/console/pharmacy/orders/${order.uid}${query}`}>{order.name}</a>
                    <br />
                    <span class="help">
                      {moment(language, zone, order.created_at)} · {order.paid ? texts.paid : texts.unpaid}
                    </span>
                  </span>
                  <Steps order={order} suffix={suffix} />
                </li>
              ))}
            </ul>
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
  const canShip = pharmacyOrderTransitions.some(({ from, to }) => from === order.status && to === "shipped")
  return (
    <>
      <header class="page-head">
        <h1>{order.name}</h1>
        <span class="badge">{texts.statuses[order.status]}</span>
        <span class="actions">
          <Steps order={order} suffix={suffix} />
        </span>
      </header>
      <div class="board two">
        <div class="card">
          <Scroll label={texts.pickingList}>
            <table>
              <caption>{texts.pickingList}</caption>
              <thead>
                <tr>
                  <th class="number">{texts.amount}</th>
                  <th>{texts.article}</th>
                  <th>PZN</th>
                  <th>{texts.place}</th>
                  <th class="number">{texts.sum}</th>
                </tr>
              </thead>
              <tbody>
                {order.lines.map((line) => (
                  <tr key={line.uid}>
                    <td class="number">{line.quantity}</td>
                    <td>{line.display_name}</td>
                    <td>{line.pzn ?? "–"}</td>
                    <td>{line.external_id ?? "–"}</td>
                    <td class="number">{money(language, line.total_price, order.currency)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
          <p class="help">
            {moment(language, zone, order.created_at)} · {order.paid ? texts.paid : texts.unpaid}
          </p>
          <p class="actions">
            <a class="secondary" href={address({ print: 1 })} data-print>
              {texts.print}
            </a>
          </p>
        </div>
        <section class="card" aria-labelledby="delivery">
          <h2 id="delivery">{texts.address}</h2>
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
              <button type="submit" class="primary">
                {texts.steps.shipped}
              </button>
            </Do>
          ) : null}
        </section>
        <section class="card" aria-labelledby="prescription">
          <h2 id="prescription">{texts.prescription}</h2>
          {file === null ? (
            <p class="help">{texts.noPrescription}</p>
          ) : (
            <Pdf url={file.url} label={texts.prescription} />
          )}
        </section>
      </div>
    </>
  )
}

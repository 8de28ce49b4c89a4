import type { WebhookBacklog } from "../../../../schemas/events/WebhookBacklog.ts"
import { Ask, Card, Empty, PageHead, Press, Rows, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment, money } from "../../../shared/pages/format.ts"
import { Table } from "../../../shared/pages/Table.tsx"
import type { ParkedPayout, WaitingOrder } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"

interface BacklogProps {
  readonly webhooks: ReadonlyArray<WebhookBacklog>
  readonly payouts: ReadonlyArray<ParkedPayout>
  readonly orders: ReadonlyArray<WaitingOrder>
  /** Names of organisations and pharmacies by uid. */
  readonly names: ReadonlyMap<string, string>
}

/** The payouts of each order. */
export const byOrder = (payouts: ReadonlyArray<ParkedPayout>) => [
  ...Map.groupBy(payouts, ({ pharmacy_order_uid }) => pharmacy_order_uid).values()
]

/** Pending work that waits for others, with the possible actions. */
export const BacklogPage = ({ webhooks, payouts, orders, names }: BacklogProps) => {
  const { operator: texts } = useTexts()
  const { language, zone } = useDesk()
  const known: Readonly<Record<string, string>> = texts.parkedReasons
  return (
    <>
      <PageHead title={texts.pages.backlog} />
      <Card id="payouts" title={texts.parked}>
        {payouts.length === 0 ? null : <p class="help">{texts.parkedHelp}</p>}
        <Rows of={byOrder(payouts)} empty={{ what: "parked" }}>
          {(parts) => {
            const [first] = parts
            if (first === undefined) return null
            const name = first.pharmacy_order_name ?? first.pharmacy_order_uid
            const sum = parts.reduce((total, { amount }) => total + amount, 0)
            return (
              <li key={first.pharmacy_order_uid}>
                <span class="grow">
                  {`${name} · ${names.get(first.pharmacy_uid) ?? first.pharmacy_uid}`}
                  <br />
                  <span class="badge warn">
                    {[...new Set(parts.map(({ parked_reason }) => known[parked_reason] ?? parked_reason))].join("; ")}
                  </span>
                </span>
                <strong>{money(language, sum, first.currency)}</strong>
                <Press
                  operation="POST /v1/operator/parked-payouts/resume"
                  hidden={{ pharmacy_uid: first.pharmacy_uid, pharmacy_order_uid: first.pharmacy_order_uid }}
                  text={texts.resume}
                  label={`${texts.resume}: ${name}`}
                  look="primary"
                />
              </li>
            )
          }}
        </Rows>
      </Card>
      <Card id="orders" title={texts.waitingOrders}>
        {orders.length === 0 ? null : (
          <Press operation="POST /v1/operator/waiting-orders/retry" text={texts.retryAll} look="primary" />
        )}
        <Rows of={orders} empty={{ what: "waitingOrders" }}>
          {(one) => (
            <li key={`${one.shop_identifier} ${one.order_id}`}>
              <span class="grow">
                {`${one.shop_identifier} · ${one.name}`}
                <br />
                {texts.reasons[one.reason]}
              </span>
              <span class="help">{`${texts.since} ${moment(language, zone, one.waiting_since)}`}</span>
              {one.reason === "anamnesis_required" ? (
                <Ask
                  operation="POST /v1/operator/waiting-orders/release"
                  hidden={{ shop_identifier: one.shop_identifier, order_id: one.order_id }}
                  text={texts.release}
                  label={`${texts.release}: ${one.name}`}
                />
              ) : null}
            </li>
          )}
        </Rows>
      </Card>
      <div class="card">
        <h2 id="webhooks">{texts.webhooks}</h2>
        {webhooks.length === 0 ? <Empty what="webhooks" /> : <p class="help">{texts.webhooksHelp}</p>}
        <Table
          labelledBy="webhooks"
          columns={[
            texts.owner,
            texts.address,
            { number: texts.pending },
            { number: texts.givenUp },
            texts.oldest,
            null
          ]}
        >
          {webhooks.map((one) => (
            <tr key={`${one.owner_uid} ${one.subscription_uid}`}>
              <td>{names.get(one.owner_uid) ?? one.owner_uid}</td>
              <td>{one.url}</td>
              <td class="number">{one.pending}</td>
              <td class="number">{one.failed}</td>
              <td>{one.oldest_at === null ? "–" : moment(language, zone, one.oldest_at)}</td>
              <td>
                {one.failed > 0 && one.active ? (
                  <Press
                    operation={`POST /v1/operator/webhooks/${one.subscription_uid}/replay`}
                    hidden={{ owner_uid: one.owner_uid }}
                    text={texts.replay}
                    label={`${texts.replay}: ${one.url}`}
                  />
                ) : null}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </>
  )
}

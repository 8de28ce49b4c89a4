import type { Payout } from "../../../../schemas/pharmacy/Payout.ts"
import { plural } from "../../../../texts/fill.ts"
import { Card, Empty, Field, Hidden, PageHead, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment, money } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Filter } from "../../../shared/pages/rows.tsx"
import { Table } from "../../../shared/pages/Table.tsx"
import { useTexts } from "../useTexts.ts"

/** The sum of a status in a currency, in cents. */
export interface PayoutSum {
  readonly status: Payout["status"]
  readonly currency: string
  readonly amount: number
  /** Orders, as they are listed. */
  readonly orders: number
}

const sumOf = (payouts: ReadonlyArray<Payout>) => payouts.reduce((sum, { amount }) => sum + amount, 0)

export const sumsOf = (payouts: ReadonlyArray<Payout>): ReadonlyArray<PayoutSum> =>
  [...Map.groupBy(payouts, ({ status, currency }) => `${status} ${currency}`).values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    const { status, currency } = first
    return [
      {
        status,
        currency,
        amount: sumOf(some),
        orders: new Set(some.map(({ pharmacy_order_uid }) => pharmacy_order_uid)).size
      }
    ]
  })

interface PayoutsProps {
  readonly payouts: ReadonlyArray<Payout>
  readonly status: string | null
  /** `2026-05` */
  readonly month: string
  readonly months: { readonly before: string; readonly after: string }
  /** Of the whole month; null if it has too many payouts to be summed here. */
  readonly sums: ReadonlyArray<PayoutSum> | null
  readonly page: number
  readonly pages: number
  readonly csv: string
  readonly pharmacy_uid: string | undefined
}

/** Payouts of a month with their sums, as a table and as a file. */
export const PayoutsPage = ({ payouts, status, month, months, sums, page, pages, csv, pharmacy_uid }: PayoutsProps) => {
  const { pharmacy: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const orders = [
    ...Map.groupBy(payouts, (one) => `${one.pharmacy_order_uid} ${one.status} ${one.currency}`).values()
  ].flatMap(([one, ...others]) => (one === undefined ? [] : [{ one, own: [one, ...others] }]))
  const filters = [
    [null, texts.all],
    ["projected", texts.projected],
    ["routed", texts.routed]
  ] as const
  return (
    <>
      <PageHead title={texts.pages.payouts}>
        <Filter label={texts.status} name="status" of={filters} chosen={status} />
        <a class="secondary" href={csv} download>
          {texts.csv}
        </a>
      </PageHead>
      <form method="get" action="/console/pharmacy/payouts" class="card">
        <div class="actions">
          <Hidden fields={{ pharmacy_uid, status }} />
          <a class="quiet" href={address({ month: months.before, page: null })}>
            {frame.earlier}
          </a>
          <Field label={texts.month} name="month" type="month" value={month} required />
          <Submit text={texts.find} look="secondary" />
          <a class="quiet" href={address({ month: months.after, page: null })}>
            {frame.later}
          </a>
        </div>
      </form>
      {sums !== null && sums.length === 0 ? null : (
        <Card id="sums" title={texts.sums}>
          {sums === null ? <p class="help">{texts.tooManyPayouts}</p> : null}
          <ul class="rows">
            {sums?.map((one) => (
              <li key={`${one.status} ${one.currency}`}>
                <span class="grow">{`${texts[one.status]} (${plural(language, texts.found, one.orders)})`}</span>
                <strong>{money(language, one.amount, one.currency)}</strong>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <div class="card">
        {payouts.length === 0 ? <Empty what="payouts" to="/console/pharmacy" /> : null}
        <Table label={texts.pages.payouts} columns={[texts.order, texts.part, texts.status, { number: texts.sum }]}>
          {orders.map(({ one, own }) => (
            <tr key={`${one.pharmacy_order_uid} ${one.status}`}>
              <td>
                {one.pharmacy_order_name ?? "–"}
                <br />
                <span class="help">{moment(language, zone, one.pharmacy_order_created_at)}</span>
              </td>
              <td>{own.map(({ component_type }) => texts.components[component_type]).join(", ")}</td>
              <td>
                {texts[one.status]}{" "}
                <span class="help">
                  {one.routing_created_at === null ? null : moment(language, zone, one.routing_created_at)}
                </span>
              </td>
              <td class="number">{money(language, sumOf(own), one.currency)}</td>
            </tr>
          ))}
        </Table>
        <Pager page={page} pages={pages} />
      </div>
    </>
  )
}

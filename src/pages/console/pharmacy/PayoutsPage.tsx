import type { Payout } from "../../../schemas/pharmacy/Payout.ts"
import { PageHead, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { moment, money } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"
import { Table } from "../parts/Table.tsx"

interface PayoutsProps {
  readonly payouts: ReadonlyArray<Payout>
  readonly status: string | null
  readonly page: number
  readonly pages: number
  readonly csv: string
}

/** Payouts with their sum, as a table and as a file. */
export const PayoutsPage = ({ payouts, status, page, pages, csv }: PayoutsProps) => {
  const { pharmacy: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const currencies = [...new Set(payouts.map(({ currency }) => currency))]
  const filters = [
    [null, texts.all],
    ["projected", texts.projected],
    ["routed", texts.routed]
  ] as const
  return (
    <>
      <PageHead title={texts.pages.payouts}>
        <nav class="console-links" aria-label={texts.status}>
          {filters.map(([value, text]) => (
            <a
              key={text}
              href={address({ status: value, page: null })}
              aria-current={value === status ? "true" : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <a class="secondary" href={csv} download>
          {texts.csv}
        </a>
      </PageHead>
      <div class="card">
        {payouts.length === 0 ? <p class="help">{frame.none}</p> : null}
        <Table
          label={texts.pages.payouts}
          columns={[texts.order, texts.part, texts.status, { number: texts.sum }]}
          foot={
            <tfoot>
              {currencies.map((currency) => (
                <tr key={currency}>
                  <th colspan={3}>{texts.total}</th>
                  <td class="number">
                    {money(
                      language,
                      payouts.reduce((sum, one) => sum + (one.currency === currency ? one.amount : 0), 0),
                      currency
                    )}
                  </td>
                </tr>
              ))}
            </tfoot>
          }
        >
          {payouts.map((one) => (
            <tr key={`${one.pharmacy_order_uid} ${one.component_type}`}>
              <td>
                {one.pharmacy_order_name ?? one.pharmacy_order_uid}
                <br />
                <span class="help">{moment(language, zone, one.pharmacy_order_created_at)}</span>
              </td>
              <td>{texts.components[one.component_type]}</td>
              <td>
                {texts[one.status]} <span class="help">{one.provider_route_id}</span>
              </td>
              <td class="number">{money(language, one.amount, one.currency)}</td>
            </tr>
          ))}
        </Table>
        <Pager page={page} pages={pages} />
      </div>
    </>
  )
}

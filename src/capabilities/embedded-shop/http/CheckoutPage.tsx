import { amounts } from "../services/EmbeddedCheckout.ts"
import type { EmbeddedOrder } from "../services/EmbeddedShop.ts"

const euros = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" })
const money = (cents: number) => euros.format(cents / 100)

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem }
  h1 { font-size: 1.4rem }
  table { width: 100%; border-collapse: collapse }
  th, td { text-align: left; padding: .4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
  th:last-child, td:last-child { text-align: right; white-space: nowrap }
  tfoot td { border: 0 } tfoot tr:last-child td { font-weight: 600 }
  button { width: 100%; padding: .8rem; font: inherit; font-weight: 600; border: 0; border-radius: .4rem;
    background: #14532d; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
  a { color: inherit }
  .paid { padding: .8rem; border: 1px solid #15803d; border-radius: .4rem }
`

const Amounts = ({ order }: { readonly order: EmbeddedOrder }) => {
  const { shipping, total } = amounts(order)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Artikel</th>
          <th scope="col">Menge</th>
          <th scope="col">Preis</th>
        </tr>
      </thead>
      <tbody>
        {order.lines.map((line) => (
          <tr key={line.uuid}>
            <td>{line.title}</td>
            <td>{line.quantity}</td>
            <td>{money(line.unit_price * line.quantity)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={2}>Versand</td>
          <td>{money(shipping)}</td>
        </tr>
        <tr>
          <td colSpan={2}>Summe</td>
          <td>{money(total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** The checkout page of the embedded shop: lines, total and a button that pays. */
export const CheckoutPage = ({ order, nonce }: { readonly order: EmbeddedOrder; readonly nonce: string }) => (
  <html lang="de">
    <head>
      <meta charset="utf-8" />
      <title>{`Kasse · ${order.shop_name}`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <link rel="icon" href="data:," />
      <style nonce={nonce}>{style}</style>
    </head>
    <body>
      <main>
        <h1>{order.shop_name}</h1>
        <Amounts order={order} />
        {order.paid_at === null ? (
          <form method="post" action={`/storefront/checkout/${order.id}/pay`}>
            <p>Diese Kasse gehört zum eingebauten Shop. Es wird kein Geld bewegt.</p>
            <button type="submit">Zahlungspflichtig bestellen</button>
          </form>
        ) : (
          <>
            <p class="paid" role="status">
              {`Bezahlt. Ihre Bestellnummer ist #${order.order_number}.`}
            </p>
            <p>
              <a href="/">Zur Startseite</a>
            </p>
          </>
        )}
      </main>
    </body>
  </html>
)

/** What public booking adds to staff's pages of branding and shops. */

import type { AddedCards } from "../../shared/pages/added.ts"
import { Rows, useDesk, YesNoField } from "../../shared/pages/Desk.tsx"
import type { Shop } from "../../shared/schemas/Shop.ts"
import { hasPages } from "../schemas/settings.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { pageTextsOf } from "../texts/page.ts"

const useOwnTexts = () => deskTextsOf(useDesk().language)
const addressOf = (meetingsUrl: string, { shop_identifier }: Shop) =>
  `${meetingsUrl}/book/${encodeURIComponent(shop_identifier)}`

export const deskCards: AddedCards = {
  brandingFields: ({ organisation }) => {
    const texts = useOwnTexts()
    return <YesNoField label={texts.own} name="public_booking" value={hasPages(organisation)} help={texts.help} />
  },
  branding: ({ organisation, shops, meetingsUrl }) => {
    const texts = useOwnTexts()
    return (
      <>
        <h2>{texts.title}</h2>
        <Rows
          of={hasPages(organisation) ? shops : []}
          empty={{ what: { name: "bookingPages", ...texts.empty }, to: "/console/practice/shops" }}
        >
          {(shop) => (
            <li key={shop.uid}>
              <a href={addressOf(meetingsUrl, shop)} target="_blank" rel="noopener">
                {shop.name ?? shop.shop_identifier}
              </a>
            </li>
          )}
        </Rows>
      </>
    )
  },
  shop: ({ organisation, shop, meetingsUrl }) => {
    const texts = useOwnTexts()
    const link = `<a href="${addressOf(meetingsUrl, shop)}">${pageTextsOf(useDesk().language).title}</a>`
    return (
      <>
        <h3>{texts.snippet}</h3>
        {hasPages(organisation) ? <pre tabindex={0}>{link}</pre> : <p class="help">{texts.off}</p>}
      </>
    )
  }
}

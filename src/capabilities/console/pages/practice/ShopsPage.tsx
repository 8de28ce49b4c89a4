import { Added, Card, Do, Empty, Field, PageHead, Submit } from "../../../shared/pages/Desk.tsx"
import { Pager } from "../../../shared/pages/Pager.tsx"
import type { Organisation } from "../../../shared/schemas/Organisation.ts"
import type { Shop } from "../../../shared/schemas/Shop.ts"
import { useTexts } from "../useTexts.ts"

interface ShopsProps {
  readonly organisation: Organisation
  readonly shops: ReadonlyArray<Shop>
  readonly meetingsUrl: string
  readonly page: number
  readonly pages: number
}

/** The storefront of a shop: the service's own checkout page, or Shopify with its tokens. */
const Storefront = ({ kind }: { readonly kind: "embedded" | "shopify" }) => {
  const { practice: texts } = useTexts()
  const field = (label: string, name: string, required: boolean) => (
    <Field label={label} name={`storefront.${name}`} required={required} />
  )
  return (
    <>
      <input type="hidden" name="storefront.kind" value={kind} />
      <div class="entries">
        {kind === "embedded" ? null : (
          <>
            {field(texts.shopDomain, "shop_domain", true)}
            {field(texts.adminToken, "admin_access_token", true)}
            {field(texts.storefrontToken, "storefront_access_token", true)}
          </>
        )}
        {field(texts.webhookSecret, "webhook_secret", kind === "shopify")}
      </div>
    </>
  )
}

type ShopProps = Pick<ShopsProps, "organisation" | "meetingsUrl"> & { readonly shop: Shop }

const ShopCard = ({ shop, ...of }: ShopProps) => {
  const { practice: texts, frame } = useTexts()
  const operation = `PATCH /v1/management/shops/${shop.uid}`
  return (
    <section class="card" aria-labelledby={`shop-${shop.uid}`}>
      <h2 id={`shop-${shop.uid}`}>{shop.name}</h2>
      <Do operation={operation}>
        <div class="entries">
          <Field label={texts.name} name="name" value={shop.name} required />
          <Field label={texts.shopIdentifier} name="shop_identifier" value={shop.shop_identifier} required />
          <Field label={texts.defaultPharmacy} name="default_pharmacy_uid" value={shop.default_pharmacy_uid} />
        </div>
        <Submit text={frame.save} />
      </Do>
      <h3>{texts.storefront}</h3>
      <p>
        <span class="badge">{texts.storefronts[shop.storefront.kind]}</span> {shop.storefront.shop_domain}
      </p>
      {(["embedded", "shopify"] as const).map((kind) => (
        <details key={kind}>
          <summary>{`${texts.setStorefront}: ${texts.storefronts[kind]}`}</summary>
          <Do operation={operation}>
            <Storefront kind={kind} />
            <Submit text={frame.save} look="secondary" />
          </Do>
        </details>
      ))}
      <Added at="shop" shop={shop} {...of} />
    </section>
  )
}

/** The practice's shops: name, pharmacies, and the link for a website. */
export const ShopsPage = ({ organisation, shops, meetingsUrl, page, pages }: ShopsProps) => {
  const { practice: texts } = useTexts()
  const create = "POST /v1/management/shops"
  return (
    <>
      <PageHead title={texts.pages.shops} />
      <div class="board">
        {shops.map((shop) => (
          <ShopCard key={shop.uid} shop={shop} organisation={organisation} meetingsUrl={meetingsUrl} />
        ))}
        <Card id="new-shop" title={texts.newShop}>
          {shops.length === 0 ? <Empty what="shops" /> : null}
          <Do operation={create}>
            <Field label={texts.name} name="name" />
            <Field label={texts.shopIdentifier} name="shop_identifier" required />
            <Submit text={texts.create} />
          </Do>
        </Card>
      </div>
      <Pager page={page} pages={pages} />
    </>
  )
}

/** The organisation of a hosted page: branding, zone, origins that may frame the page, and allowed return origins. */
import { Effect, Schema } from "effect"
import { Settings } from "../../config.ts"
import { Branding } from "../../schemas/access/Branding.ts"
import { PageNotFound } from "../../schemas/hosted/errors.ts"
import { OrganisationUid } from "../../schemas/ids.ts"
import { Images } from "../access/Images.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { Service } from "../Service.ts"
import { tagKey } from "../tenancy/OwnerByKey.ts"
import { type OrganisationKey, ofOrganisationWith } from "../tenancy/Tenancy.ts"

const PageHost = Schema.Struct({
  organisation_uid: OrganisationUid,
  /** the name shown to patients */
  name: Schema.String,
  branding: Branding,
  /** IANA zone of displayed times unless the patient chooses another */
  timezone: Schema.String,
  /** origins that may frame the organisation's pages: `embed_origins` and its shops' own; embedded shops are at BASE_URL */
  ancestors: Schema.Array(Schema.String),
  /** whether reminders state the reason of the visit */
  visit_reason_in_messages: Schema.Boolean,
  /** origins that a page may redirect to */
  return_url_origins: Schema.Array(Schema.String)
})
export type PageHost = typeof PageHost.Type

/** Accepts a return URL only of these origins, to prevent open redirects. */
export const allowedReturn = (asked: string | null, origins: ReadonlyArray<string>) =>
  asked !== null && URL.canParse(asked) && origins.includes(new URL(asked).origin) ? asked : null

/** Whether the text is just an origin: `;` and `,` in a header would begin another directive or policy. */
export const isOrigin = (text: string) => !/[;,]/.test(text) && URL.canParse(text) && new URL(text).origin === text

export class PageHosts extends Service<PageHosts>()("hosted/PageHosts", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { baseUrl } = yield* Settings
    const images = yield* Images
    const hosts = rowsOf(PageHost)
    const ownOrigin = new URL(baseUrl).origin

    const find = Effect.fnUntraced(function* (by: OrganisationKey) {
      const host = yield* hosts
        .firstOr(
          sql`SELECT o.organisation_uid, o.name, o.branding, o.timezone, o.return_url_origins, o.visit_reason_in_messages,
          o.embed_origins || array(SELECT DISTINCT coalesce('https://' || s.storefront_domain, ${ownOrigin})
            FROM shops s WHERE s.organisation_uid = o.organisation_uid) AS ancestors
        FROM organisations o WHERE o.organisation_uid = organisation_by(${by.kind}, ${by.key})`,
          () => new PageNotFound()
        )
        .pipe(ofOrganisationWith(by))
      const branding = { ...host.branding, logo: images.address(host.branding.logo) }
      return { ...host, branding, ancestors: host.ancestors.filter(isOrigin) }
    })

    /** The organisation of a code, live or not, or of a meeting room. */
    const ofCode = (code: string) => find(tagKey(code))

    /** The organisation of a shop. */
    const ofShop = (identifier: string) => find({ kind: "shop_identifier", key: identifier })

    return { ofShop, ofCode } as const
  }),
  dependencies: [Images.Default]
}) {}

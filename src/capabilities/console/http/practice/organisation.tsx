/** Pages of the practice's settings, its shops and its audit log. */
import { Effect, Schema } from "effect"
import { patientNames } from "../../../../http/staff/names.ts"
import { pageOf } from "../../../../http/staff/query.ts"
import { AuditQuery } from "../../../../schemas/audit/AuditEntry.ts"
import { PageNotFound } from "../../../../schemas/hosted/errors.ts"
import { AuditPage } from "../../pages/parts/AuditPage.tsx"
import { OrganisationPage } from "../../pages/practice/OrganisationPage.tsx"
import { ShopsPage } from "../../pages/practice/ShopsPage.tsx"
import { auditParametersOf, auditSearchIn } from "../serving/auditSearch.ts"
import type { Visitor } from "../serving/visitor.ts"
import { staffNames } from "./staffNames.ts"

const SHOPS_PER_PAGE = 20

export const organisation = Effect.fn("console.organisation")(function* ({ api, texts }: Visitor) {
  const found = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.pages.settings,
    zone: found.timezone,
    live: false,
    body: <OrganisationPage organisation={found} />
  }
})

export const shops = (meetingsUrl: string) =>
  Effect.fn("console.shops")(function* ({ api, query, texts }: Visitor) {
    const page = pageOf(query)
    const { data, totalPages } = yield* api["organisation.shops"].list({ urlParams: { page, limit: SHOPS_PER_PAGE } })
    const { public_booking } = yield* api["organisation.settings"].one({})
    return {
      title: texts.practice.pages.shops,
      live: false,
      body: (
        <ShopsPage shops={data} meetingsUrl={meetingsUrl} hasPages={public_booking} page={page} pages={totalPages} />
      )
    }
  })

export const audit = Effect.fn("console.ownAudit")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const { timezone } = yield* api["organisation.settings"].one({})
  const search = auditSearchIn(query)
  const urlParams = yield* Effect.mapError(
    Schema.decodeUnknown(AuditQuery)(auditParametersOf(search, query.get("after"), timezone)),
    () => new PageNotFound()
  )
  const { data, next } = yield* api["management.audit"].list({ urlParams })
  const staff = yield* staffNames(visitor)
  const patients = yield* patientNames(
    visitor,
    data.flatMap(({ actor, subject }) => [
      actor.kind === "patient" ? actor.uid : null,
      subject !== null && staff.has(subject) ? null : subject
    ])
  )
  return {
    title: texts.practice.pages.audit,
    zone: timezone,
    live: false,
    body: <AuditPage search={search} entries={data} next={next} names={{ staff, patients }} />
  }
})

import { fill, plural } from "../../../../texts/fill.ts"
import { cityOf, offeredZones } from "../../../../texts/zones.ts"
import { Card, Do, Field, PageHead, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { calendarDate } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Subject } from "../../../shared/pages/rows.tsx"
import type { Owner } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"

/** The interface's form of a shop's identifier. */
const SHOP_IDENTIFIER = "[a-z0-9](?:[a-z0-9\\-]*[a-z0-9])?"

interface OrganisationsProps {
  readonly organisations: ReadonlyArray<Owner>
  readonly search: string
  readonly page: number
  readonly pages: number
  readonly total: number
  /** The organisation that was made just now; null: none. */
  readonly made: Owner | null
  /** Where its audit log is; null without the page. */
  readonly auditOf: ((uid: string) => string) | null
  /** Whether people sign in with their mail address. */
  readonly byMail: boolean
}

/** The organisations of the installation, and a form for a new one. */
export const OrganisationsPage = (props: OrganisationsProps) => {
  const { organisations, search, page, pages, total, made } = props
  const { operator } = useTexts()
  const { organisation: texts } = operator
  const { language } = useDesk()
  return (
    <>
      <PageHead title={texts.list}>
        <a class="secondary" href="#new">
          {texts.title}
        </a>
      </PageHead>
      {made === null ? null : <Made {...props} made={made} />}
      <section class="card" aria-labelledby="found">
        <h2 id="found">{plural(language, texts.found, total)}</h2>
        <search>
          <form class="press">
            <Field label={texts.find} name="search" type="search" value={search} />
            <Submit text={operator.find} look="secondary" />
          </form>
        </search>
        <Rows of={organisations} empty={{ what: "filtered" }}>
          {(one) => (
            <li key={one.uid}>
              <Row one={one} {...props} />
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </section>
      <NewOrganisation />
    </>
  )
}

/** Where and when it was made, its shops and doctors, in one line. */
export const useOwnerFacts = () => {
  const { organisation: texts } = useTexts().operator
  const { language } = useDesk()
  return ({ timezone, shops, doctors, created_at }: Omit<Owner, "kind">) =>
    [
      timezone === null ? null : cityOf(language, timezone),
      shops.join(", "),
      plural(language, texts.doctors, doctors),
      created_at === null ? null : fill(texts.since, { date: calendarDate(language, created_at) })
    ]
      .filter(Boolean)
      .join(" · ")
}

const Row = ({ one, auditOf }: Pick<OrganisationsProps, "auditOf"> & { readonly one: Owner }) => {
  const { operator } = useTexts()
  const factsOf = useOwnerFacts()
  const { uid, name } = one
  return (
    <>
      <Subject below={[factsOf(one), <code key={uid}>{uid}</code>]}>
        <a href={`/console/operator/organisations/${encodeURIComponent(uid)}`}>{name}</a>
      </Subject>
      {auditOf === null ? null : <a href={auditOf(uid)}>{operator.log}</a>}
    </>
  )
}

/** What was made, and how its people get in. */
const Made = ({ made, byMail, ...props }: OrganisationsProps & { readonly made: Owner }) => {
  const { organisation: texts } = useTexts().operator
  return (
    <Card id="made" title={fill(texts.made, { name: made.name })}>
      <ul class="rows">
        <li>
          <Row one={made} {...props} />
        </li>
      </ul>
      <p>{byMail ? texts.signIn : fill(texts.next, { uid: made.uid })}</p>
    </Card>
  )
}

/** A new organisation with its shop, by a form instead of a provisioning file. */
const NewOrganisation = () => {
  const { operator } = useTexts()
  const { organisation: texts } = operator
  const { language } = useDesk()
  return (
    <Card id="new" title={texts.title}>
      <Do operation="POST /v1/operator/provisioning" to="organisations">
        <div class="entries">
          <Field label={texts.name} name="name" required />
          <Field
            label={texts.zone}
            name="timezone"
            value="Europe/Berlin"
            options={offeredZones.map((zone) => [zone, cityOf(language, zone)] as const)}
          />
          <Field label={texts.shop} name="shop_identifier" help={texts.shopHelp} pattern={SHOP_IDENTIFIER} required />
          <Field label={texts.admin} name="admin" />
          <Field label={texts.email} name="email" type="email" help={texts.emailHelp} />
        </div>
        <p class="actions">
          <Submit text={texts.create} />
        </p>
      </Do>
    </Card>
  )
}

import { Card, Field, PageHead, Submit, useDesk, useFormValues } from "../../../../pages/staff/Desk.tsx"
import { fill } from "../../../../texts/fill.ts"
import { cityOf, offeredZones } from "../../../../texts/zones.ts"
import { useTexts } from "../useTexts.ts"

interface OrganisationProps {
  /** Identifier of the organisation that was made just now; null: none. */
  readonly made: string | null
}

/** A new organisation with its shop, by a form instead of a provisioning file. */
export const OrganisationPage = ({ made }: OrganisationProps) => {
  const { operator } = useTexts()
  const { organisation: texts } = operator
  const { csrf, language } = useDesk()
  const typed = useFormValues("POST /v1/operator/provisioning")
  return (
    <>
      <PageHead title={texts.title} />
      {made === null ? null : (
        <Card id="made" title={texts.made}>
          <p>{fill(texts.next, { uid: made })}</p>
          <output class="code" tabindex={0}>
            {made}
          </output>
        </Card>
      )}
      <section class="card" aria-label={texts.title}>
        <form method="post" action="/console/operator/organisations" class="stack">
          <input type="hidden" name="@csrf" value={csrf} />
          <div class="entries">
            <Field label={texts.name} name="name" value={typed("name", "")} required />
            <Field
              label={texts.zone}
              name="timezone"
              value={typed("timezone", "Europe/Berlin")}
              options={offeredZones.map((zone) => [zone, cityOf(language, zone)] as const)}
            />
            <Field
              label={texts.shop}
              name="shop_identifier"
              value={typed("shop_identifier", "")}
              help={texts.shopHelp}
              pattern="[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
              required
            />
            <Field label={texts.admin} name="admin" value={typed("admin", "")} />
            <Field label={texts.email} name="email" type="email" value={typed("email", "")} />
          </div>
          <p class="actions">
            <Submit text={texts.create} />
          </p>
        </form>
      </section>
    </>
  )
}

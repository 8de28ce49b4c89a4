import { Added, Card, Do, Empty, Field, PageHead, Submit, YesNoField } from "../../../shared/pages/Desk.tsx"
import type { Organisation } from "../../../shared/schemas/Organisation.ts"
import type { Shop } from "../../../shared/schemas/Shop.ts"
import { useTexts } from "../useTexts.ts"

/** Of pages without a colour of their own. */
const STANDARD_ACCENT = "#0a6b63"

interface BrandingProps {
  readonly organisation: Organisation
  readonly shops: ReadonlyArray<Shop>
  readonly meetingsUrl: string
}

/** The branding that patients see on pages and in mails. */
export const BrandingPage = ({ organisation, shops, meetingsUrl }: BrandingProps) => {
  const { practice: texts, frame } = useTexts()
  const operation = "PATCH /v1/management/organisation"
  const { branding, visit_reason_in_messages } = organisation
  const field = (
    name: keyof typeof texts.brand & keyof typeof branding,
    type: "text" | "url" | "email" | "tel" | "color"
  ) => (
    <Field
      label={texts.brand[name]}
      name={`branding.${name}`}
      type={type}
      value={branding[name] ?? (type === "color" ? STANDARD_ACCENT : "")}
    />
  )
  return (
    <>
      <PageHead title={texts.pages.branding} />
      <div class="board two">
        <Card id="brand" title={texts.brandTitle}>
          <Do operation={operation}>
            <div class="entries">
              {field("accent_colour", "color")}
              {field("phone", "tel")}
              {field("address", "text")}
              {field("support_email", "email")}
              {field("imprint_url", "url")}
              {field("privacy_url", "url")}
              {field("sender_name", "text")}
              {field("reply_to", "email")}
              <YesNoField
                label={texts.reasonInMessages}
                name="visit_reason_in_messages"
                value={visit_reason_in_messages}
              />
              <Added at="brandingFields" organisation={organisation} />
            </div>
            <Submit text={frame.save} />
          </Do>
        </Card>
        <Card id="logo" title={texts.logo}>
          {branding.logo === null ? (
            <Empty what="logo" />
          ) : (
            <p>
              <img src={branding.logo} alt={texts.logo} class="logo" />
            </p>
          )}
          <Do operation={operation}>
            <Field label={texts.logoFile} name="@file" type="file" help={texts.logoHelp} />
            <details>
              <summary>{texts.logoText}</summary>
              <Field label={texts.logoText} name="branding.logo" rows={2} />
            </details>
            <Submit text={frame.save} look="secondary" />
          </Do>
          <Added at="branding" organisation={organisation} shops={shops} meetingsUrl={meetingsUrl} />
        </Card>
      </div>
    </>
  )
}

import { byWord } from "../../../../schemas/byWord.ts"
import { fill } from "../../../../texts/fill.ts"
import { Ask, Card, Do, Field, PageHead, Press, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { BoxesField, Subject } from "../../../shared/pages/rows.tsx"
import type { Organisation } from "../../../shared/schemas/Organisation.ts"
import { useTexts } from "../useTexts.ts"
import { Origins } from "./Origins.tsx"

interface AccessProps {
  readonly keys: ReadonlyArray<{
    readonly uid: string
    readonly name: string
    readonly permissions: ReadonlyArray<string>
    readonly last_used_at: number | null
    readonly revoked_at: number | null
  }>
  readonly secrets: ReadonlyArray<{ readonly key_id: string; readonly revoked_at: number | null }>
  readonly organisation: Organisation
  readonly meetingsUrl: string
}

/** API keys, booking-token secrets, and the widget for the practice's website. */
export const AccessPage = ({ keys, secrets, organisation, meetingsUrl }: AccessProps) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  const known = byWord<string>(Object.assign({}, ...Object.values(texts.rights).map(({ of }) => of)))
  const snippet = `<div id="booking"></div>
<script
  src="${meetingsUrl}/booking-widget.js"
  data-launch-code="blc_…"
  data-target="#booking"
  data-base-url="${meetingsUrl}"
></script>`
  return (
    <>
      <PageHead title={texts.pages.access} />
      <div class="board">
        <Card id="keys" title={texts.keys}>
          <Rows of={keys} empty={{ what: "keys", to: "#new-key" }}>
            {(one) => (
              <li key={one.uid}>
                <Subject
                  below={[
                    one.permissions.map((permission) => known[permission] ?? permission).join(" · "),
                    one.last_used_at === null
                      ? null
                      : fill(texts.lastUsed, { time: moment(language, zone, one.last_used_at) })
                  ]}
                >
                  {one.name}
                </Subject>
                {one.revoked_at === null ? (
                  <Ask
                    operation={`DELETE /v1/admin/api-keys/${one.uid}`}
                    text={texts.revoke}
                    label={`${texts.revoke}: ${one.name}`}
                  />
                ) : (
                  <span class="badge">{texts.revoked}</span>
                )}
              </li>
            )}
          </Rows>
          <h3 id="new-key">{texts.newKey}</h3>
          <Do operation="POST /v1/admin/api-keys" show="key">
            <Field label={texts.name} name="name" required />
            {Object.values(texts.rights).map(({ title, of }) => (
              <BoxesField key={title} legend={title} name="permissions" of={Object.entries(of)} />
            ))}
            <Submit text={texts.create} />
          </Do>
        </Card>
        <Card id="secrets" title={texts.secrets}>
          <Rows of={secrets} empty={{ what: "secrets" }}>
            {({ key_id, revoked_at }) => (
              <li key={key_id}>
                <span class="grow">{key_id}</span>
                {revoked_at === null ? (
                  <>
                    <Press
                      operation={`GET /v1/admin/scheduling/booking-token-secrets/${key_id}`}
                      show="secret"
                      text={texts.reveal}
                      label={`${texts.reveal}: ${key_id}`}
                    />
                    <Ask
                      operation={`DELETE /v1/admin/scheduling/booking-token-secrets/${key_id}`}
                      text={texts.revoke}
                      label={`${texts.revoke}: ${key_id}`}
                    />
                  </>
                ) : (
                  <span class="badge">{texts.revoked}</span>
                )}
              </li>
            )}
          </Rows>
          <Press
            operation="POST /v1/admin/scheduling/booking-token-secrets"
            show="secret"
            text={texts.newSecret}
            look="primary"
          />
        </Card>
        <Card id="snippet" title={texts.snippet}>
          <p class="help">{texts.snippetHelp}</p>
          <pre tabindex={0}>{snippet}</pre>
          <Origins name="embed_origins" label={texts.origins} origins={organisation.embed_origins} />
        </Card>
      </div>
    </>
  )
}

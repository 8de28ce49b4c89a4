import { fill } from "../../../texts/fill.ts"
import {
  Card,
  Do,
  Field,
  PageHead,
  Press,
  Rows,
  Submit,
  useDesk,
  useTexts,
  YesNoField
} from "../../shared/pages/Desk.tsx"
import { BoxesField } from "../../shared/pages/rows.tsx"
import type { FhirClient } from "../schemas/FhirClient.ts"
import { offeredScopes } from "../schemas/rights.ts"
import { deskTextsOf } from "../texts/desk.ts"

const CLIENTS = "/v1/admin/fhir-clients"

const ClientFields = ({ one }: { readonly one: FhirClient | null }) => {
  const { words } = useTexts()
  const texts = deskTextsOf(useDesk().language)
  const keys = one === null || one.jwks === null ? "" : JSON.stringify(one.jwks, null, 2)
  return (
    <>
      {one === null ? <Field label={texts.id} name="client_id" value="" placeholder="klinik-portal" required /> : null}
      <Field label={words.name} name="name" value={one?.name} required />
      <Field label={texts.address} name="jwks_uri" type="url" value={one?.jwks_uri} help={texts.keysHelp} />
      <Field label={texts.keys} name="jwks" rows={4} value={keys} />
      <BoxesField
        legend={texts.scopes}
        name="scopes"
        of={offeredScopes.map((scope) => [scope, scope])}
        isTicked={(scope) => one?.scopes.some((own) => own === scope) ?? false}
      />
      {one === null ? null : <YesNoField label={texts.active} name="active" value={one.active} />}
    </>
  )
}

interface FhirProps {
  readonly enabled: boolean
  readonly clients: ReadonlyArray<FhirClient>
  /** The base address of the interface, and that at which clients get tokens. */
  readonly base: string
}

/** The FHIR interface: its switch, and the systems that use it with keys of their own. */
export const FhirPage = ({ enabled, clients, base }: FhirProps) => {
  const { words, frame } = useTexts()
  const texts = deskTextsOf(useDesk().language)
  const create = `POST ${CLIENTS}`
  return (
    <>
      <PageHead title={texts.title}>
        <span class={enabled ? "badge now" : "badge"}>{enabled ? texts.on : texts.off}</span>
        <Press
          operation="PATCH /v1/management/organisation"
          hidden={{ "fhir.enabled": String(!enabled) }}
          text={enabled ? texts.switchOff : texts.switchOn}
        />
      </PageHead>
      <div class="board two">
        <Card id="clients" title={texts.clients}>
          <Rows of={clients} empty={{ what: { name: "clients", text: texts.empty } }}>
            {(one) => (
              <li key={one.client_id}>
                <details class="grow">
                  <summary>{one.name}</summary>
                  <p class="help">{fill(texts.clientId, { id: one.client_id })}</p>
                  <Do operation={`PATCH ${CLIENTS}/${encodeURIComponent(one.client_id)}`} label={one.name}>
                    <ClientFields one={one} />
                    <Submit text={frame.save} look="secondary" />
                  </Do>
                  <p>{fill(texts.removeQuestion, { name: one.name })}</p>
                  <Press
                    operation={`DELETE ${CLIENTS}/${encodeURIComponent(one.client_id)}`}
                    text={frame.remove}
                    label={`${frame.remove}: ${one.name}`}
                    look="quiet"
                  />
                </details>
                <span class={one.active ? "badge" : "badge warn"}>{one.active ? texts.on : texts.off}</span>
              </li>
            )}
          </Rows>
          <details open={clients.length === 0}>
            <summary>{texts.new}</summary>
            <Do operation={create} label={texts.new}>
              <ClientFields one={null} />
              <Submit text={words.create} />
            </Do>
          </details>
        </Card>
        <Card id="addresses" title={texts.addresses}>
          <p class="help">{texts.help}</p>
          <p>
            {texts.base}
            <br />
            <code>{`${base}/fhir/r4`}</code>
          </p>
          <p>
            {texts.token}
            <br />
            <code>{`${base}/fhir/token`}</code>
          </p>
        </Card>
      </div>
    </>
  )
}

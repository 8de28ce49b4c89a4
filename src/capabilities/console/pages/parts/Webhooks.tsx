import {
  Ask,
  Card,
  Do,
  Field,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk
} from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Subject } from "../../../shared/pages/rows.tsx"
import { useTexts } from "../useTexts.ts"

export interface ShownSubscription {
  readonly uid: string
  readonly url: string
  readonly active: boolean
  readonly types: ReadonlyArray<string>
}

export interface ShownDelivery {
  readonly uid: string
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: ReadonlyArray<{
    readonly at: number
    readonly status_code: number | null
    readonly error: string | null
  }>
}

export interface WebhooksProps {
  /** Path of the subscriptions, e.g. `/v1/management/notification-subscriptions`. */
  readonly path: string
  /** Suffix of each path, e.g. `?pharmacy_uid=…`. */
  readonly suffix: string
  readonly title: string
  readonly subscriptions: ReadonlyArray<ShownSubscription>
  readonly typesField: string
  readonly types: ReadonlyArray<string>
  readonly chosen: string | null
  readonly deliveries: ReadonlyArray<ShownDelivery>
  /** The delivery that is shown in detail, with its payload. */
  readonly payload: { readonly uid: string; readonly json: string } | null
}

/** Subscriptions and their deliveries: test, replay, enable or disable, rotate the secret. */
export const Webhooks = (props: WebhooksProps) => {
  const { path, suffix, subscriptions, typesField, types, chosen, deliveries, payload } = props
  const { webhooks: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const base = path.replace(/\/$/, "")
  const of = (uid: string, action = "") => `${base}/${uid}${action}${suffix}`
  return (
    <>
      <PageHead title={props.title} />
      <div class="board two">
        <Card id="subscriptions" title={texts.subscriptions}>
          <Rows of={subscriptions} empty={{ what: "subscriptions", to: "#new-subscription" }}>
            {({ uid, url, active, types: own }) => (
              <li key={uid}>
                <Subject below={[own.join(", ")]}>
                  <a href={address({ subscription: uid })} aria-current={chosen === uid ? "true" : undefined}>
                    {url}
                  </a>
                </Subject>
                <span class={active ? "badge" : "badge warn"}>{active ? texts.active : texts.inactive}</span>
                <Press operation={`POST ${of(uid, "/test")}`} text={texts.test} label={`${texts.test}: ${url}`} />
                <Press
                  operation={`PATCH ${of(uid)}`}
                  hidden={{ active: String(!active) }}
                  text={active ? texts.switchOff : texts.switchOn}
                  label={`${active ? texts.switchOff : texts.switchOn}: ${url}`}
                  look="quiet"
                />
                <details>
                  <summary aria-label={`${texts.change}: ${url}`}>{texts.change}</summary>
                  <Do operation={`PATCH ${of(uid)}`}>
                    <Field label={texts.address} name="url" type="url" value={url} required />
                    <Submit text={frame.save} look="secondary" />
                  </Do>
                </details>
                <Ask
                  operation={`POST ${of(uid, "/rotate-secret")}`}
                  show="secret"
                  text={texts.rotate}
                  label={`${texts.rotate}: ${url}`}
                />
                <Ask operation={`DELETE ${of(uid)}`} text={frame.remove} label={`${frame.remove}: ${url}`} />
              </li>
            )}
          </Rows>
        </Card>
        <Card id="new-subscription" title={texts.create}>
          <Do operation={`POST ${path}${suffix}`} show="secret">
            <Field label={texts.address} name="url" type="url" required />
            <div class="entry">
              <label for="types">{texts.types}</label>
              <select id="types" name={typesField} multiple required size={Math.min(8, types.length)}>
                {types.map((type) => (
                  <option key={type} value={type}>
                    {type}
                  </option>
                ))}
              </select>
            </div>
            <p class="actions">
              <Submit text={texts.create} />
            </p>
          </Do>
        </Card>
      </div>
      {chosen === null ? null : (
        <Card id="deliveries" title={texts.deliveries}>
          <Rows of={deliveries} empty={{ what: "deliveries" }}>
            {({ uid, event_type, status, attempts }) => {
              const last = attempts.at(-1)
              return (
                <li key={uid}>
                  <Subject
                    below={[last && `${moment(language, zone, last.at)} · ${last.status_code ?? last.error ?? ""}`]}
                  >
                    <a href={address({ delivery: uid })}>{event_type}</a>
                  </Subject>
                  <span class={status === "failed" ? "badge warn" : "badge"}>{texts.statuses[status]}</span>
                  <Press
                    operation={`POST ${of(chosen, `/deliveries/${uid}/replay`)}`}
                    text={texts.replay}
                    label={`${texts.replay}: ${event_type} ${uid}`}
                  />
                </li>
              )
            }}
          </Rows>
          {payload === null ? null : (
            <>
              <h3>{`${texts.sentData}: ${payload.uid}`}</h3>
              <pre tabindex={0}>{payload.json}</pre>
            </>
          )}
        </Card>
      )}
    </>
  )
}

/** Fails at start-up outside of development if demo keys or simulated mails, text messages or payments are in use. */
import { SqlClient } from "@effect/sql"
import { Data, Effect, Layer, Option, Schema } from "effect"
import { Settings } from "../config.ts"
import { Capabilities } from "../declarations.ts"
import { rowsOf } from "../services/database/rows.ts"
import { nodeAwayIn } from "../services/database/SqlErrors.ts"
import { withoutOwner } from "../services/tenancy/Tenancy.ts"
import { hashOf } from "../services/uid.ts"

class NotForProduction extends Data.TaggedError("NotForProduction")<{ readonly reasons: ReadonlyArray<string> }> {
  override get message() {
    const list = this.reasons.map((reason) => `\n  ${reason}`).join("")
    return `HOST or BASE_URL is no loopback address, and for that is missing:${list}\nDEMO=true starts a demonstration all the same.`
  }
}

const Found = Schema.Struct({
  demo_keys: Schema.Boolean,
  mails: Schema.Boolean,
  texts: Schema.Boolean,
  payments: Schema.Boolean
})

const find = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = (yield* Capabilities).installed.find(({ publicCredentials }) => publicCredentials !== undefined)
  const { apiKeys, bookingKeyId } = known?.publicCredentials ?? { apiKeys: [], bookingKeyId: "" }
  return yield* rowsOf(Found).one(
    sql`SELECT demo_keys, mails, texts, payments FROM uses_of_trial(${apiKeys.map(hashOf)}, ${bookingKeyId})`
  )
})

const check = Effect.gen(function* () {
  const { development, smtpUrl, smsUrl, mollieApiKey } = yield* Settings
  if (development) return
  // Where there are several nodes, each is queried, and a process starts also while one is away
  const found = yield* Effect.catchSomeDefect(withoutOwner(find), (defect) =>
    nodeAwayIn(defect) === undefined
      ? Option.none()
      : Option.some(
          Effect.as(
            Effect.logWarning(
              "Whether demo keys and simulated services are in use is not known while a node is away",
              defect
            ),
            undefined
          )
        )
  )
  if (found === undefined) return
  const reasons = [
    found.demo_keys &&
      "the database holds the public keys of the demo world: use another database, or end them (cli keys revoke; DELETE /v1/admin/scheduling/booking-token-secrets/bts_demo)",
    found.mails && smtpUrl === undefined && "SMTP_URL is not set, and organisations or reminders send mails",
    found.texts && smsUrl === undefined && "SMS_URL is not set, and reminders send text messages",
    found.payments && mollieApiKey === undefined && "MOLLIE_API_KEY is not set, and pharmacies have payment accounts"
  ].filter((reason) => reason !== false)
  if (reasons.length > 0) return yield* new NotForProduction({ reasons })
})

export const ProductionChecked = Layer.effectDiscard(check)

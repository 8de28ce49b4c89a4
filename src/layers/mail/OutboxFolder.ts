/** Writes mails as `.eml` files to a folder, exactly as they would be sent, for development. */
import { Effect, Layer } from "effect"
import { MailDelayed, Mailer, MailRefused } from "../../services/notifications/Mailer.ts"
import { onFirstUse } from "../../services/onFirstUse.ts"
import { outboxWriter } from "../outbox.ts"
import { compose, nodemailer, senderOf } from "./compose.ts"

export interface OutboxSettings {
  readonly folder: string
  readonly from: string
}

export const layer = ({ folder, from: sender }: OutboxSettings) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const from = senderOf(sender)
      const transport = onFirstUse(() => nodemailer().createTransport({ streamTransport: true, buffer: true }))
      const write = yield* outboxWriter(folder)
      return Mailer.of({
        from,
        send: (mail) =>
          // RFC 2606: no mail server takes mail for these
          mail.to.address.endsWith(".invalid")
            ? new MailRefused({ reason: `550 no such address: ${mail.to.address}` })
            : Effect.tryPromise(() => transport().sendMail(compose(from, mail))).pipe(
                Effect.flatMap(({ message }) => write(mail.message_id, "eml", Buffer.from(message as Buffer))),
                Effect.mapError((error) => new MailDelayed({ reason: error.message }))
              )
      })
    })
  )

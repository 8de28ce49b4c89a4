/** Writes mails as `.eml` files to a folder, exactly as they would be sent, for development. */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { createTransport } from "nodemailer"
import { MailDelayed, Mailer, MailRefused } from "../../services/notifications/Mailer.ts"
import { compose, senderOf } from "./compose.ts"

export interface OutboxSettings {
  readonly folder: string
  readonly from: string
}

export const layer = ({ folder, from: sender }: OutboxSettings) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const from = senderOf(sender)
      const transport = createTransport({ streamTransport: true, buffer: true })
      const write = Effect.fnUntraced(function* (name: string, message: Uint8Array) {
        yield* files.makeDirectory(folder, { recursive: true })
        const unfinished = path.join(folder, `.${name}`)
        yield* files.writeFile(unfinished, message)
        yield* files.rename(unfinished, path.join(folder, `${name}.eml`))
      })
      return Mailer.of({
        from,
        send: (mail) =>
          // RFC 2606: no mail server takes mail for these
          mail.to.address.endsWith(".invalid")
            ? new MailRefused({ reason: `550 no such address: ${mail.to.address}` })
            : Effect.tryPromise(() => transport.sendMail(compose(from, mail))).pipe(
                Effect.flatMap(({ message }) => write(mail.message_id, Buffer.from(message as Buffer))),
                Effect.mapError((error) => new MailDelayed({ reason: error.message }))
              )
      })
    })
  )

import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { MailDelayed, Mailer } from "../../services/notifications/Mailer.ts"
import { senderOf } from "./compose.ts"
import { layer as outbox } from "./OutboxFolder.ts"
import { layer as smtp } from "./Smtp.ts"

/** Without SMTP_URL outside of development, mails wait. */
const none = (from: string) =>
  Layer.succeed(Mailer, {
    from: senderOf(from),
    send: () => Effect.fail(new MailDelayed({ reason: "SMTP_URL is not set" }))
  })

/** SMTP if configured, otherwise in development the outbox folder. */
export const MailerLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ smtpUrl, mailFrom, dataDir, development }) => {
    if (smtpUrl !== undefined) return smtp({ url: smtpUrl, from: mailFrom })
    return development ? outbox({ folder: `${dataDir}/outbox`, from: mailFrom }) : none(mailFrom)
  })
)

import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { layer as outbox } from "./OutboxFolder.ts"
import { layer as smtp } from "./Smtp.ts"

/** SMTP where one is configured, else the outbox folder. */
export const MailerLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ smtpUrl, mailFrom, dataDir }) =>
    smtpUrl === undefined
      ? outbox({ folder: `${dataDir}/outbox`, from: mailFrom })
      : smtp({ url: smtpUrl, from: mailFrom })
  )
)

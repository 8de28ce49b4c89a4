import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { layer } from "./HttpWebhooks.ts"

export const WebhookSenderLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ webhookAllowPrivate, webhookPorts }) =>
    layer({ allowPrivate: webhookAllowPrivate, ...(webhookPorts !== undefined && { ports: webhookPorts }) })
  )
)

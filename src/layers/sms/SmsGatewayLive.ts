import type { FileSystem, HttpClient, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { SmsDelayed, SmsGateway } from "../../services/notifications/SmsGateway.ts"
import { layer as http } from "./HttpSms.ts"
import { layer as outbox } from "./OutboxFolder.ts"

type Gateway = Layer.Layer<SmsGateway, never, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path>

/** Without SMS_URL outside of development, text messages wait. */
const none = Layer.succeed(SmsGateway, {
  send: () => Effect.fail(new SmsDelayed({ reason: "SMS_URL is not set" }))
})

/** The HTTP gateway if configured, otherwise in development the outbox folder. */
export const SmsGatewayLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ smsUrl, smsToken, dataDir, development }): Gateway => {
    if (smsUrl === undefined) return development ? outbox(`${dataDir}/outbox`) : none
    return http({ url: smsUrl, ...(smsToken !== undefined && { token: smsToken }) })
  })
)

import type { FileSystem, HttpClient, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import type { SmsGateway } from "../../services/notifications/SmsGateway.ts"
import { layer as http } from "./HttpSms.ts"
import { layer as outbox } from "./OutboxFolder.ts"

type Gateway = Layer.Layer<SmsGateway, never, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path>

/** The HTTP gateway where one is configured, else the outbox folder. */
export const SmsGatewayLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ smsUrl, smsToken, dataDir }): Gateway => {
    if (smsUrl === undefined) return outbox(`${dataDir}/outbox`)
    return http({ url: smsUrl, ...(smsToken !== undefined && { token: smsToken }) })
  })
)

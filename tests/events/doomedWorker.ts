/**
 * A worker that delivers webhooks and kills itself (SIGKILL): at the fault point that DOOM names when it
 * reaches that, else at a random time. Runs in a separate process, with the settings of the server whose database it uses.
 */
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Context, Effect, Layer } from "effect"
import { SettingsLive } from "../../src/config.ts"
import { Capabilities } from "../../src/declarations.ts"
import { DeliverWebhook } from "../../src/jobs/DeliverWebhook.ts"
import { BossLive } from "../../src/layers/Boss.ts"
import { CommonLive } from "../../src/layers/Common.ts"
import { DatabaseLive } from "../../src/layers/Database.ts"
import { UnderMasterKey } from "../../src/layers/keys/KeyWrappingLive.ts"
import { SecretBoxLive } from "../../src/layers/MasterKey.ts"
import { SqlLive } from "../../src/layers/Sql.ts"
import { layer as httpWebhooks } from "../../src/layers/webhooks/HttpWebhooks.ts"
import { Extensions, ExtensionsLive } from "../../src/services/Extensions.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { EventConsumers } from "../../src/services/events/EventConsumers.ts"
import { EventLog } from "../../src/services/events/EventLog.ts"
import { WebhookSender } from "../../src/services/events/WebhookSender.ts"
import { Jobs } from "../../src/services/queue/Jobs.ts"
import { Envelope } from "../../src/services/sealing/Envelope.ts"

const { DOOM } = process.env
/** Where there is nothing to do, a fault point is never reached. */
const LONGEST_LIFE_MILLIS = DOOM === undefined ? 500 : 5_000
const CHANCE = 0.15

const die = (point: string) => {
  process.stdout.write(point)
  process.kill(process.pid, "SIGKILL")
}
const chanceOf = (point: string) => (DOOM === undefined ? CHANCE : Number(DOOM === point))
const perhapsDie = (point: string) => Effect.sync(() => (Math.random() < chanceOf(point) ? die(point) : undefined))

const faulty = Layer.effect(
  WebhookSender,
  Effect.map(WebhookSender, (sender) => ({
    ...sender,
    send: (request) =>
      perhapsDie("claimed").pipe(
        Effect.zipRight(sender.send(request)),
        Effect.tap(() => perhapsDie("answered"))
      )
  }))
).pipe(Layer.provide(httpWebhooks({ allowPrivate: true })))

/** The core alone. */
const noExtensions = Layer.tap(ExtensionsLive, (context) => Context.get(context, Extensions).complete([]))

const Doomed = DeliverWebhook.pipe(
  Layer.provide(DeliveryRunner.Default),
  Layer.provide(EventLog.Default),
  Layer.provide([Jobs.Default, Envelope.Default]),
  Layer.provide([faulty, BossLive, UnderMasterKey, Layer.succeed(EventConsumers, []), noExtensions]),
  Layer.provide(SecretBoxLive),
  Layer.provide(CommonLive),
  Layer.provide(SqlLive),
  Layer.provide(DatabaseLive),
  Layer.provide(Layer.succeed(Capabilities, { installed: [], on: [] })),
  Layer.provide([SettingsLive, BunContext.layer]),
  Layer.tap(() =>
    Effect.sync(() =>
      setTimeout(() => die("at random"), (DOOM === undefined ? Math.random() : 1) * LONGEST_LIFE_MILLIS)
    )
  )
)

BunRuntime.runMain(Layer.launch(Doomed), { disablePrettyLogger: true })

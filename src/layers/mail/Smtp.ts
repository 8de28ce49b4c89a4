/** Sends mails by SMTP. 5xx replies are final; all other failures, including an unreachable server, are retried. */
import { Effect, Layer, Predicate, Redacted, Scope } from "effect"
import { MailDelayed, Mailer, MailRefused } from "../../services/notifications/Mailer.ts"
import { OutgoingCall, outgoing } from "../../services/outgoing.ts"
import { makeFailureLog } from "../telemetry/failureLog.ts"
import { compose, nodemailer, senderOf } from "./compose.ts"

export interface SmtpSettings {
  /** `smtp://user:password@host:port` or `smtps://…` */
  readonly url: Redacted.Redacted
  /** The sender, `Name <address>`. */
  readonly from: string
}

/** As many as the transport's connections. */
const call = outgoing({ to: "mail server", seconds: 60, bytes: null, atOnce: 5, ofOwner: 3 })

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

export const layer = (settings: SmtpSettings) =>
  Layer.scoped(
    Mailer,
    Effect.gen(function* () {
      // an interruption would be kept, too, and every later mail fail
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => nodemailer().createTransport({ url: Redacted.value(settings.url), pool: true, ...timeouts })),
        (open) => Effect.sync(() => open.close())
      ).pipe(Scope.extend(yield* Effect.scope), Effect.uninterruptible, Effect.cached)
      const from = senderOf(settings.from)
      const noteFailure = yield* makeFailureLog("Mails that SMTP_URL's server did not take")
      return Mailer.of({
        from,
        send: (mail) =>
          Effect.flatMap(Effect.all([OutgoingCall, transport]), ([{ ended: signal }, open]) =>
            Effect.tryPromise({ try: () => open.sendMail({ ...compose(from, mail), signal }), catch: meaningOf })
          ).pipe(
            call(() => new MailDelayed({ reason: "ETIMEDOUT" })),
            Effect.tapErrorTag("MailDelayed", ({ reason }) => noteFailure(reason)),
            Effect.asVoid,
            Effect.withSpan("Mailer.send", { kind: "client" })
          )
      })
    })
  )

/** The reason of a failure, without the server's message, which may quote addresses and content. */
const meaningOf = (cause: unknown): MailRefused | MailDelayed => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown"
  const status = Predicate.hasProperty(cause, "responseCode") ? Number(cause.responseCode) : undefined
  const reason = status === undefined ? code : `${code} ${status}`
  // Wrong credentials are 5xx too, but a configuration error: the mail itself was not rejected
  const final = code !== "EAUTH" && (status === undefined ? code === "EENVELOPE" : status >= 500)
  return final ? new MailRefused({ reason }) : new MailDelayed({ reason })
}

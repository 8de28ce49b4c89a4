import { afterAll, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BunContext } from "@effect/platform-bun"
import { Effect, Either, Layer, Redacted } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer } from "smtp-server"
import { layer as outbox } from "../../src/layers/mail/OutboxFolder.ts"
import { layer as smtp } from "../../src/layers/mail/Smtp.ts"
import { type Mail, Mailer } from "../../src/services/notifications/Mailer.ts"

const received: Array<ParsedMail> = []
const refusals = new Map([
  ["nobody@example.org", { responseCode: 550, message: "5.1.1 no such user" }],
  ["greylisted@example.org", { responseCode: 451, message: "4.7.1 try again" }]
])

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: ({ address }, _session, answer) => {
    const refusal = refusals.get(address)
    answer(refusal === undefined ? null : Object.assign(new Error(refusal.message), refusal))
  },
  onAuth: (_auth, _session, answer) => answer(Object.assign(new Error("no"), { responseCode: 535 })),
  onData: (stream, _session, done) => {
    simpleParser(stream).then((mail) => {
      received.push(mail)
      done()
    }, done)
  }
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const port = (server.server.address() as AddressInfo).port
const folder = await mkdtemp(join(tmpdir(), "sprechstunde-outbox-"))

beforeEach(() => {
  received.length = 0
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "END:VCALENDAR", ""].join("\r\n")
const aMail = (address: string): Mail => ({
  message_id: `msg_${crypto.randomUUID()}`,
  to: { name: "Jörg Ärmel", address },
  subject: "Terminbestätigung: 16.03.2026",
  text: "Grüße",
  html: "<p>Grüße</p>",
  invite: { method: "REQUEST", content: calendar }
})

const from = "Praxis Übersee <praxis@example.org>"
const sendBy = (layer: Layer.Layer<Mailer>, mail: Mail) =>
  Effect.runPromise(
    Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(Effect.either, Effect.provide(layer), Effect.scoped)
  )
const over = (url: string) => smtp({ url: Redacted.make(url), from })
const bySmtp = over(`smtp://127.0.0.1:${port}`)

const expectWhole = (parsed: ParsedMail | undefined, mail: Mail) => {
  expect(parsed?.subject).toBe(mail.subject)
  expect(parsed?.text?.trim()).toBe("Grüße")
  expect(parsed?.html).toContain("<p>Grüße</p>")
  expect(parsed?.from?.value).toEqual([{ name: "Praxis Übersee", address: "praxis@example.org" }])
  expect(parsed?.messageId).toBe(`<${mail.message_id}@example.org>`)
  const invite = parsed?.attachments.find(({ contentType }) => contentType === "text/calendar")
  expect(invite?.headers.get("content-type")).toMatchObject({ params: { method: "REQUEST" } })
  expect(invite?.content.toString()).toBe(calendar)
}

test("a mail arrives by SMTP with text, HTML and the invitation", async () => {
  const mail = aMail("joerg@example.org")
  expect(await sendBy(bySmtp, mail)).toEqual(Either.right(undefined))
  expect(received).toHaveLength(1)
  expectWhole(received[0], mail)
})

test("a missing mailbox is a permanent failure, greylisting a transient one", async () => {
  const [nobody, grey] = [
    await sendBy(bySmtp, aMail("nobody@example.org")),
    await sendBy(bySmtp, aMail("greylisted@example.org"))
  ]
  expect(Either.flip(nobody)).toMatchObject({ right: { _tag: "MailRefused", reason: "EENVELOPE 550" } })
  expect(Either.flip(grey)).toMatchObject({ right: { _tag: "MailDelayed", reason: "EENVELOPE 451" } })
})

test("an unreachable server, or a refused password, is retried", async () => {
  const away = await sendBy(over("smtp://127.0.0.1:1"), aMail("joerg@example.org"))
  const locked = await sendBy(over(`smtp://user:wrong@127.0.0.1:${port}`), aMail("joerg@example.org"))
  expect(Either.flip(away)).toMatchObject({ right: { _tag: "MailDelayed" } })
  expect(Either.flip(locked)).toMatchObject({ right: { _tag: "MailDelayed", reason: "EAUTH 535" } })
})

test("without SMTP the same mail is written to the outbox folder atomically", async () => {
  const mail = aMail("joerg@example.org")
  const layer = outbox({ folder: join(folder, "mails"), from }).pipe(Layer.provide(BunContext.layer))
  await mkdir(join(folder, "mails"), { mode: 0o755 })
  expect(await sendBy(layer, mail)).toEqual(Either.right(undefined))
  // Nobody else on the machine reads them
  for (const [path, mode] of [
    ["mails", 0o700],
    [`mails/${mail.message_id}.eml`, 0o600]
  ] as const)
    expect((await stat(join(folder, path))).mode & 0o777).toBe(mode)
  expect(await readdir(join(folder, "mails"))).toEqual([`${mail.message_id}.eml`])
  expectWhole(await simpleParser(await readFile(join(folder, "mails", `${mail.message_id}.eml`))), mail)
})

test("line breaks in a name cannot inject a header", async () => {
  const mail = { ...aMail("joerg@example.org"), subject: "Termin\r\nBcc: other@example.org" }
  await sendBy(bySmtp, { ...mail, to: { ...mail.to, name: "A\r\nBcc: other@example.org" } })
  expect(received[0]?.bcc).toBeUndefined()
  expect(received[0]?.headers.has("bcc")).toBe(false)
})

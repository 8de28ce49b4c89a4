/** Converts a mail to nodemailer's format: multipart text and HTML, with the invitation as calendars expect it. */
import type * as Nodemailer from "nodemailer"
import addressparser from "nodemailer/lib/addressparser"
import type { Mail } from "../../services/notifications/Mailer.ts"

/** Loaded by the first mail. */
export const nodemailer = (): typeof Nodemailer => require("nodemailer")

export interface Sender {
  readonly name: string
  readonly address: string
}

/** Parses MAIL_FROM: `Name <address>` or an address. */
export const senderOf = (text: string): Sender => {
  const [parsed] = addressparser(text, { flatten: true })
  return { name: parsed?.name ?? "", address: parsed?.address ?? text }
}

export const compose = (from: Sender, mail: Mail): Nodemailer.SendMailOptions => ({
  from: { ...from, name: mail.from_name ?? from.name },
  ...(mail.reply_to !== undefined && { replyTo: mail.reply_to }),
  to: mail.to,
  messageId: `<${mail.message_id}@${from.address.split("@")[1] ?? "localhost"}>`,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true,
  ...(mail.picture && {
    attachments: [
      {
        cid: mail.picture.cid,
        content: Buffer.from(mail.picture.bytes),
        contentType: mail.picture.content_type,
        contentDisposition: "inline"
      }
    ]
  }),
  ...(mail.invite && {
    icalEvent: { method: mail.invite.method, content: mail.invite.content, filename: "appointment.ics" }
  })
})

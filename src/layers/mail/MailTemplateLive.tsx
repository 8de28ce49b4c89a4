/** Mails in HTML, by the components of the pages. */
import { Layer } from "effect"
import { renderToString } from "preact-render-to-string"
import { MailPage } from "../../pages/views/MailPage.tsx"
import { LOGO_CID, type MailContent, MailTemplate } from "../../services/notifications/MailTemplate.ts"

export const mailHtml = (content: MailContent, logo = `cid:${LOGO_CID}`) =>
  `<!doctype html>${renderToString(<MailPage data={content} logo={logo} />)}`

export const MailTemplateLive = Layer.succeed(MailTemplate, { html: (content) => mailHtml(content) })

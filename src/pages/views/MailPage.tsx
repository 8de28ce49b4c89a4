import type { Branding } from "../../schemas/access/Branding.ts"
import { accentTokens } from "../../schemas/access/contrast.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { directionOf, type Language } from "../../texts/language.ts"
import { FactList } from "./cards.tsx"

/** The content of a mail about an appointment. */
export interface MailPageData {
  readonly language: Language
  readonly subject: string
  readonly practice: { readonly name: string; readonly branding: Branding }
  readonly greeting: string
  readonly opening: string
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>
  readonly links: ReadonlyArray<readonly [label: string, url: string]>
  readonly hint: string | null
  readonly closing: string
}

/** The default accent colour (`--accent` in tokens.css). */
const OWN_ACCENT = "#0a6b63"

/** Mail programs support neither custom properties nor our stylesheet: the same design as inline styles. */
const styleOf = (accent: string) => {
  const { light, dark } = accentTokens(accent)
  return `
    body { margin: 0; padding: 24px 12px; background: #f3f6f4; color: #14262a;
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
    .card { max-width: 560px; margin: 0 auto; padding: 28px 24px; background: #ffffff; border-radius: 16px }
    .brand { margin: 0 0 20px; font-weight: 600 }
    .brand img { max-height: 40px; vertical-align: middle; margin-inline-end: 10px; border-radius: 6px }
    .facts { margin: 20px 0; padding: 16px; border-radius: 10px; background: ${light["--accent-soft"]} }
    .facts div { margin: 0 0 10px } .facts div:last-child { margin: 0 }
    .facts dt { font-size: 14px; color: #4b5f63 } .facts dd { margin: 0; white-space: pre-line }
    .button { display: block; margin: 0 0 12px; padding: 13px 20px; border-radius: 10px; text-align: center;
      font-weight: 600; text-decoration: none; color: ${light["--accent"]}; border: 2px solid ${light["--accent"]} }
    .first { background: ${light["--accent"]}; color: ${light["--on-accent"]} }
    .small { font-size: 14px; color: #4b5f63 } .small a { color: ${light["--accent"]} }
    .closing { white-space: pre-line }
    @media (prefers-color-scheme: dark) {
      body { background: #0e1618; color: #e9f0ef } .card { background: #162124 }
      .facts { background: ${dark["--accent-soft"]} } .facts dt, .small { color: #a9b9ba }
      .button { color: ${dark["--accent"]}; border-color: ${dark["--accent"]} }
      .first { background: ${dark["--accent"]}; color: ${dark["--on-accent"]} }
      .small a { color: ${dark["--accent"]} }
    }`
}

const Contact = ({ practice, language }: Pick<MailPageData, "practice" | "language">) => {
  const texts = catalogue[language].page
  const { address, phone, support_email, imprint_url, privacy_url } = practice.branding
  const links = [
    ...(support_email === null ? [] : [[`mailto:${support_email}`, support_email] as const]),
    ...(imprint_url === null ? [] : [[imprint_url, texts.imprint] as const]),
    ...(privacy_url === null ? [] : [[privacy_url, texts.privacyNotice] as const])
  ]
  return (
    <p class="small">
      {[practice.name, address, phone]
        .filter((line) => line !== null)
        .map((line, index) => (
          <span key={line}>
            {index === 0 ? "" : " · "}
            <bdi>{line}</bdi>
          </span>
        ))}
      {links.map(([href, text]) => (
        <span key={href}>
          {" · "}
          <a href={href}>
            <bdi>{text}</bdi>
          </a>
        </span>
      ))}
    </p>
  )
}

/** A mail about an appointment; `logo` is the URL of the attached image. */
export const MailPage = ({ data, logo }: { readonly data: MailPageData; readonly logo: string }) => (
  <html lang={data.language} dir={directionOf(data.language)}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{data.subject}</title>
      {/* only constants and checked colours */}
      <style dangerouslySetInnerHTML={{ __html: styleOf(data.practice.branding.accent_colour ?? OWN_ACCENT) }} />
    </head>
    <body>
      <main class="card">
        <p class="brand">
          {data.practice.branding.logo === null ? null : <img src={logo} alt="" height={40} />}
          {data.practice.name}
        </p>
        <p>{data.greeting}</p>
        <p class="closing">{data.opening}</p>
        <FactList facts={data.facts} />
        {data.links.map(([label, url], index) => (
          <a key={url} class={index === 0 ? "button first" : "button"} href={url}>
            {label}
          </a>
        ))}
        {data.hint === null ? null : <p class="small">{data.hint}</p>}
        <p class="closing">{data.closing}</p>
        <Contact practice={data.practice} language={data.language} />
      </main>
    </body>
  </html>
)

import type { ComponentChildren } from "preact"
import type { Branding } from "../../schemas/access/Branding.ts"
import { accentTokens } from "../../schemas/access/contrast.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { directionOf, type Language, nameOfLanguage } from "../../texts/language.ts"
import { GlobeIcon, LogoMark } from "./icons.tsx"

/** A stylesheet or script with its Subresource Integrity. */
export interface AssetLink {
  readonly address: string
  readonly integrity: string
}

/** Whose practice it is. */
export interface Practice {
  readonly name: string
  readonly branding: Branding
}

/** What every page is given by the route that renders it, besides its own data. */
export interface PageFrame {
  readonly language: Language
  /** this response's CSP nonce, for the one script of the page */
  readonly nonce: string
  /** this page in every language, and the texts for a page that switches without loading again */
  readonly languages: ReadonlyArray<{ readonly language: Language; readonly address: string; readonly texts: string }>
  readonly stylesheet: AssetLink
  /** true inside the widget's frame: no header, and the ground of a card */
  readonly embedded: boolean
  /** origin of the page that embeds this one, when it is allowed to: the only one that is spoken to */
  readonly parentOrigin: string | null
  /** null where the organisation is unknown */
  readonly practice: Practice | null
}

interface PageProps {
  readonly frame: PageFrame
  /** never holds health data: titles end up in histories and window lists */
  readonly title: string
  /** the island of the page */
  readonly script?: AssetLink | undefined
  /** what the page reports to the widget: `times`, `held`, `confirmed`, … */
  readonly stage?: string
  /** the address under which the page can be loaded again, where that is not the one that it was asked by */
  readonly address?: string | undefined
  /** facts of the stage for the widget, as JSON */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  readonly children: ComponentChildren
}

/** Works without JavaScript, and in one line on a phone however many languages there are. */
const Languages = ({ frame }: { readonly frame: PageFrame }) => (
  <details class="languages">
    <summary>
      <GlobeIcon />
      <span class="unseen">{catalogue[frame.language].page.language}: </span>
      <span data-language>{nameOfLanguage(frame.language)}</span>
    </summary>
    <ul>
      {frame.languages.map(({ language, address, texts }) => (
        <li key={language}>
          <a
            href={address}
            lang={language}
            dir={directionOf(language)}
            hreflang={language}
            aria-current={language === frame.language ? "true" : undefined}
            data-texts={texts}
          >
            {nameOfLanguage(language)}
          </a>
        </li>
      ))}
    </ul>
  </details>
)

const declarations = (tokens: Readonly<Record<string, string>>) =>
  Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(";")

/** The practice's colour in place of our own; the values are colours and nothing else. */
const Accent = ({ colour, nonce }: { readonly colour: string; readonly nonce: string }) => {
  const { light, dark } = accentTokens(colour)
  return (
    <style nonce={nonce}>
      {`:root{${declarations(light)}}@media (prefers-color-scheme:dark){:root{${declarations(dark)}}}`}
    </style>
  )
}

const Brand = ({ practice }: { readonly practice: Practice | null }) => (
  <span class="brand">
    {practice === null || practice.branding.logo === null ? (
      <LogoMark />
    ) : (
      <img class="logo" src={practice.branding.logo} alt="" height={40} />
    )}
    {practice?.name ?? "Sprechstunde"}
  </span>
)

/** How to reach the practice, and who answers for the page. */
const Contact = ({ practice, embedded, language }: PracticeProps) => {
  const texts = catalogue[language].page
  const { address, phone, support_email, imprint_url, privacy_url } = practice.branding
  const target = embedded ? "_blank" : undefined
  const links = [
    ...(phone === null ? [] : [{ href: `tel:${phone.replace(/[^+\d]/g, "")}`, text: phone }]),
    ...(support_email === null ? [] : [{ href: `mailto:${support_email}`, text: support_email }]),
    ...(imprint_url === null ? [] : [{ href: imprint_url, text: texts.imprint }]),
    ...(privacy_url === null ? [] : [{ href: privacy_url, text: texts.privacyNotice }])
  ]
  return (
    <address>
      <strong>{practice.name}</strong>
      {address === null ? null : <span>{address}</span>}
      {links.map(({ href, text }) => (
        <a key={href} href={href} target={target} rel={embedded ? "noopener" : undefined}>
          <bdi>{text}</bdi>
        </a>
      ))}
    </address>
  )
}

interface PracticeProps {
  readonly practice: Practice
  readonly embedded: boolean
  readonly language: Language
}

/** The document around every hosted page. */
export const Page = ({ frame, title, script, stage, address, facts, children }: PageProps) => {
  const texts = catalogue[frame.language].page
  return (
    <html lang={frame.language} dir={directionOf(frame.language)} class={frame.embedded ? "embedded" : ""}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={frame.stylesheet.address} integrity={frame.stylesheet.integrity} />
        {frame.practice?.branding.accent_colour ? (
          <Accent colour={frame.practice.branding.accent_colour} nonce={frame.nonce} />
        ) : null}
        {script === undefined ? null : (
          <script type="module" nonce={frame.nonce} src={script.address} integrity={script.integrity} />
        )}
      </head>
      <body
        data-stage={stage}
        data-address={address}
        data-facts={facts === undefined ? undefined : JSON.stringify(facts)}
        data-parent={frame.parentOrigin ?? undefined}
      >
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        {frame.embedded ? null : (
          <header class="masthead">
            <Brand practice={frame.practice} />
            <Languages frame={frame} />
          </header>
        )}
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="colophon">
          {frame.practice === null ? null : (
            <Contact practice={frame.practice} embedded={frame.embedded} language={frame.language} />
          )}
          <p>{texts.privacy}</p>
        </footer>
      </body>
    </html>
  )
}

import type { ComponentChildren } from "preact"
import type { Branding } from "../../schemas/access/Branding.ts"
import { accentTokens } from "../../schemas/access/contrast.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { directionOf, type Language, nameOfLanguage } from "../../texts/language.ts"
import { PracticeContact, telephoneLink } from "./ContactPractice.tsx"
import { GlobeIcon, LogoMark } from "./icons.tsx"
import { PageLanguage } from "./pageLanguage.ts"

/** A stylesheet or script with its Subresource Integrity. */
export interface AssetLink {
  readonly address: string
  readonly integrity: string
}

/** The practice's branding. */
export interface Practice {
  readonly name: string
  readonly branding: Branding
  /** IANA */
  readonly timezone: string
}

/** What a route passes to every page, besides the page's own data. */
export interface PageFrame {
  readonly language: Language
  /** this response's CSP nonce, for the page's script */
  readonly nonce: string
  /** this page's URL in every language, and the texts for pages that switch languages without reloading */
  readonly languages: ReadonlyArray<{
    readonly language: Language
    readonly address: string
    readonly texts: string | undefined
  }>
  readonly stylesheets: ReadonlyArray<AssetLink>
  /** true in the widget's frame: no header, and the background of a card */
  readonly embedded: boolean
  /** origin of the embedding page, if it is allowed: the only target of messages */
  readonly parentOrigin: string | null
  /** of a site that has only one; null: the device's */
  readonly theme: "light" | "dark" | null
  /** null if the organisation is unknown */
  readonly practice: Practice | null
}

interface PageProps {
  readonly frame: PageFrame
  /** never contains health data: titles are stored in histories and window lists */
  readonly title: string
  /** the island of the page */
  readonly script?: AssetLink | undefined
  /** the stage of the booking for the widget: `times`, `held`, `confirmed`, … */
  readonly stage?: string
  /** the URL with which the page can be reloaded, if it differs from the requested one */
  readonly address?: string | undefined
  /** data of the stage for the widget, as JSON */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  readonly children: ComponentChildren
}

/** The language menu: works without JavaScript, and in one line on a phone with any number of languages. */
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

/** The practice's accent colour; the values are validated colours. */
const Accent = ({ colour, theme, nonce }: Pick<PageFrame, "theme" | "nonce"> & { readonly colour: string }) => {
  const { light, dark } = accentTokens(colour)
  if (theme !== null)
    return <style nonce={nonce}>{`:root[data-theme]{${declarations(theme === "dark" ? dark : light)}}`}</style>
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

/** The practice's contact data and legal links. */
const Contact = ({ practice, embedded, language }: PracticeProps) => {
  const texts = catalogue[language].page
  const { address, phone, support_email, imprint_url, privacy_url } = practice.branding
  const target = embedded ? "_blank" : undefined
  const links = [
    ...(phone === null ? [] : [{ href: telephoneLink(phone), text: phone }]),
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

/** The document of every hosted page. */
export const Page = ({ frame, title, script, stage, address, facts, children }: PageProps) => {
  const texts = catalogue[frame.language].page
  return (
    <html
      lang={frame.language}
      dir={directionOf(frame.language)}
      class={frame.embedded ? "embedded" : ""}
      data-theme={frame.theme ?? undefined}
    >
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content={frame.theme ?? "light dark"} />
        <link rel="icon" href="data:," />
        {frame.stylesheets.map(({ address: href, integrity }) => (
          <link key={href} rel="stylesheet" href={href} integrity={integrity} />
        ))}
        {frame.practice?.branding.accent_colour ? (
          <Accent colour={frame.practice.branding.accent_colour} theme={frame.theme} nonce={frame.nonce} />
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
          <PageLanguage.Provider value={frame.language}>
            <PracticeContact.Provider
              value={frame.practice && { ...frame.practice.branding, timezone: frame.practice.timezone }}
            >
              {children}
            </PracticeContact.Provider>
          </PageLanguage.Provider>
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

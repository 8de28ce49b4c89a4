import type { ComponentChildren } from "preact"
import { catalogue } from "../../texts/catalogue.ts"
import { type Language, nameOfLanguage } from "../../texts/language.ts"
import { LogoMark } from "./icons.tsx"

/** A stylesheet or script with its Subresource Integrity. */
export interface AssetLink {
  readonly address: string
  readonly integrity: string
}

/** What every page is given by the route that renders it, besides its own data. */
export interface PageFrame {
  readonly language: Language
  /** this response's CSP nonce, for the one script of the page */
  readonly nonce: string
  /** address of this page in the other language */
  readonly otherLanguage: string
  readonly stylesheet: AssetLink
  /** true inside the widget's frame: no header, and the ground of a card */
  readonly embedded: boolean
  /** origin of the page that embeds this one, when it is allowed to: the only one that is spoken to */
  readonly parentOrigin: string | null
}

interface PageProps {
  readonly frame: PageFrame
  /** never holds health data: titles end up in histories and window lists */
  readonly title: string
  /** the island of the page */
  readonly script?: AssetLink | undefined
  /** what the widget is told about: `times`, `held`, `confirmed`, … */
  readonly stage?: string
  /** the address under which the page can be loaded again, where that is not the one that it was asked by */
  readonly address?: string | undefined
  /** facts of the stage for the widget, as JSON */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  readonly children: ComponentChildren
}

/** The document around every hosted page. */
export const Page = ({ frame, title, script, stage, address, facts, children }: PageProps) => {
  const texts = catalogue[frame.language].page
  const other = frame.language === "de" ? "en" : "de"
  return (
    <html lang={frame.language} class={frame.embedded ? "embedded" : ""}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={frame.stylesheet.address} integrity={frame.stylesheet.integrity} />
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
            <span class="brand">
              <LogoMark />
              Sprechstunde
            </span>
            <a class="language" href={frame.otherLanguage} lang={other} hreflang={other}>
              {nameOfLanguage(other)}
            </a>
          </header>
        )}
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="colophon">{texts.privacy}</footer>
      </body>
    </html>
  )
}

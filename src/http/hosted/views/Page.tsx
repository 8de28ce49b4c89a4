import type { ComponentChildren } from "preact"
import { frameTexts } from "../texts/frame.ts"
import type { Language } from "../texts/language.ts"
import { LogoMark } from "./icons.tsx"

/** What every page is given by the route that renders it, besides its own data. */
export interface PageFrame {
  readonly language: Language
  /** this response's CSP nonce, for the one script of the page */
  readonly nonce: string
  /** address of this page in the other language */
  readonly otherLanguage: string
  /** address of the stylesheet */
  readonly stylesheet: string
  /** true inside the widget's frame: no header, and the ground of a card */
  readonly embedded: boolean
  /** origin of the page that embeds this one, when it is allowed to: the only one that is spoken to */
  readonly parentOrigin: string | null
}

interface PageProps {
  readonly frame: PageFrame
  /** never holds health data: titles end up in histories and window lists */
  readonly title: string
  /** address of the island that makes the page livelier */
  readonly script?: string | undefined
  /** what the widget is told about: `times`, `held`, `confirmed`, … */
  readonly stage?: string
  /** facts of the stage for the widget, as JSON */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  readonly children: ComponentChildren
}

/** The document around every hosted page. */
export const Page = ({ frame, title, script, stage, facts, children }: PageProps) => {
  const texts = frameTexts[frame.language]
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
        <link rel="stylesheet" href={frame.stylesheet} />
        {script === undefined ? null : <script type="module" nonce={frame.nonce} src={script} />}
      </head>
      <body
        data-stage={stage}
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
              {texts.otherLanguage}
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

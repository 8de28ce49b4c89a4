import type { ComponentChildren } from "preact"
import { LogoMark } from "../../../pages/views/icons.tsx"
import type { AssetLink } from "../../../pages/views/Page.tsx"
import { directionOf, type Language, nameOfLanguage } from "../../../texts/language.ts"
import { Submit } from "../../shared/pages/Desk.tsx"
import { consoleTexts } from "../texts/catalogue.ts"

/** A link to a page of this or another workspace. */
export interface ConsoleLink {
  readonly address: string
  readonly text: string
  /** `page`: it is this page; `true`: this page belongs to it. */
  readonly current: "page" | "true" | undefined
}

export interface ConsoleFrame {
  readonly language: Language
  readonly nonce: string
  readonly stylesheet: AssetLink
  readonly script: AssetLink
  readonly languages: ReadonlyArray<{ readonly language: Language; readonly address: string }>
  /** Whether the page is without its head: that of a call, and those beside it. */
  readonly isBare: boolean
  /** Null without a session. */
  readonly signedIn: {
    readonly name: string
    /** Whether the person has a page of their own sign-in: where staff sign in by mail. */
    readonly hasAccount: boolean
    /** Identifies the person: what another has typed in this browser is not shown. */
    readonly person: string
    readonly csrf: string
    readonly workspaces: ReadonlyArray<ConsoleLink>
    readonly links: ReadonlyArray<ConsoleLink>
    /** Pages of the same group; empty for a page without a group. */
    readonly group: ReadonlyArray<ConsoleLink>
    /** URL of the stream of changes; null if the page shows nothing that changes. */
    readonly live: string | null
    /** Page that searches people; null in a workspace without one. */
    readonly search: string | null
  } | null
}

interface ConsolePageProps {
  readonly frame: ConsoleFrame
  /** never contains health data: titles are stored in histories and window lists */
  readonly title: string
  readonly children: ComponentChildren
}

interface LinksProps {
  readonly label: string
  readonly links: ReadonlyArray<ConsoleLink>
  readonly class?: string
}

const Links = ({ label, links, class: kind = "page-links" }: LinksProps) => (
  <nav aria-label={label} class={kind}>
    {links.map(({ address, text, current }) => (
      <a key={address} href={address} aria-current={current}>
        {text}
      </a>
    ))}
  </nav>
)

interface MenuProps {
  readonly language: Language
  readonly links: ReadonlyArray<ConsoleLink>
  readonly group: ReadonlyArray<ConsoleLink>
  readonly children: ComponentChildren
}

/** The workspace's pages, those of the current page's group, language and person: folded on a phone, also without JavaScript. */
const Menu = ({ language, links, group, children }: MenuProps) => {
  const { frame: texts } = consoleTexts(language)
  return (
    <>
      <button type="button" class="secondary console-fold" popovertarget="menu">
        {[texts.menu, [...group, ...links].find(({ current }) => current)?.text].filter(Boolean).join(": ")}
      </button>
      <div id="menu" class="console-menu" popover>
        <Links label={texts.pages} links={links} class="page-links console-pages" />
        {group.length === 0 ? null : <Links label={texts.group} links={group} class="page-links console-pages" />}
        {children}
      </div>
    </>
  )
}

/** Workspaces, search, language and person, and the workspace's pages. */
const Head = ({ frame: { language: shown, languages, signedIn } }: { readonly frame: ConsoleFrame }) => {
  const { frame: texts } = consoleTexts(shown)
  const self = (
    <div class="console-self">
      <nav aria-label={texts.language} class="console-languages">
        {languages.map(({ language, address }) => (
          <a
            key={language}
            href={address}
            lang={language}
            hreflang={language}
            aria-current={language === shown ? "true" : undefined}
          >
            {nameOfLanguage(language)}
          </a>
        ))}
      </nav>
      {signedIn === null ? null : (
        <form method="post" action="/console/sign-out">
          <input type="hidden" name="@csrf" value={signedIn.csrf} />
          <span class="help">{signedIn.name}</span>
          {signedIn.hasAccount ? <a href="/console/account">{consoleTexts(shown).account.link}</a> : null}
          <Submit text={texts.signOut} look="quiet" />
        </form>
      )}
    </div>
  )
  return (
    <header class="console-head">
      <a class="brand" href="/console">
        <LogoMark />
        Sprechstunde
      </a>
      {signedIn === null || signedIn.workspaces.length < 2 ? null : (
        <Links label={texts.workspaces} links={signedIn.workspaces} />
      )}
      {signedIn === null || signedIn.search === null ? null : (
        <search>
          <form action={signedIn.search} class="press">
            <input
              type="search"
              name="search"
              aria-label={texts.searchPeople}
              placeholder={texts.searchPeople}
              aria-keyshortcuts="Alt+S"
              autocomplete="off"
            />
          </form>
        </search>
      )}
      {signedIn === null ? (
        self
      ) : (
        <Menu language={shown} links={signedIn.links} group={signedIn.group}>
          {self}
        </Menu>
      )}
    </header>
  )
}

/** The document of every page of the console. */
export const ConsolePage = ({ frame, title, children }: ConsolePageProps) => {
  const { frame: texts, problems } = consoleTexts(frame.language)
  const { signedIn } = frame
  return (
    <html lang={frame.language} dir={directionOf(frame.language)} class="console">
      <head>
        <meta charset="utf-8" />
        <title>{`${title} – Sprechstunde`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="same-origin" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={frame.stylesheet.address} integrity={frame.stylesheet.integrity} />
        <script type="module" nonce={frame.nonce} src={frame.script.address} integrity={frame.script.integrity} />
      </head>
      <body
        data-live={signedIn?.live ?? undefined}
        data-person={signedIn?.person}
        data-restored={signedIn === null ? undefined : problems.restored}
        data-discard={signedIn === null ? undefined : problems.discard}
      >
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        {frame.isBare ? null : <Head frame={frame} />}
        <p class="notice warn" data-cut hidden role="status">
          {texts.cut}
        </p>
        <main id="content" class={frame.isBare ? "bare" : undefined} tabindex={-1}>
          {children}
        </main>
      </body>
    </html>
  )
}

/** The ingredients of a state: a practice, a phone that opens its pages, and a partner's page with the widget. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Browser, BrowserContext, Frame, Page, Response } from "playwright-core"
import { pageLink } from "../../tests/support/codes.ts"
import { openAppointment } from "../../tests/support/meetings.ts"
import type { TestServer } from "../../tests/support/server.ts"
import { inDays, makeWorld, type World, type WorldOptions } from "../../tests/support/world.ts"

const PARTNER = "https://shop.example/thanks"
export const range = { from: inDays(1), to: inDays(15), return_url: PARTNER }

/** An open state: its page, its organisation, and the resources to close. */
export interface Opened {
  readonly page: Page
  /** the page or the widget's frame in it; null once it has navigated to another site */
  readonly view: () => Frame | null
  readonly server: TestServer
  readonly world: World
  readonly contexts: ReadonlyArray<BrowserContext>
}

export interface State {
  readonly name: string
  /** the document's status, if not 200 */
  readonly status?: number
  /** the page's organisation is unknown: its only link is the one in its text */
  readonly anonymous?: boolean
  readonly open: (language: string) => Promise<Opened>
}

/** The parameters with which a state is opened. */
export interface Scene {
  readonly server: TestServer
  readonly world: World
  readonly page: Page
  readonly goTo: (path: string) => Promise<Response | null>
  readonly booking: (code: string, query?: string) => Promise<Response | null>
  /** a second user's page */
  readonly another: () => Promise<Page>
}

type Make = (scene: Scene) => Promise<unknown>

/** Opens states on one server in one browser. */
export interface Stage {
  readonly scene: (options: WorldOptions, make: Make) => State["open"]
  /** the widget on a partner's page; use `frame` of its scene, not `page` */
  readonly widget: (
    options: WorldOptions,
    make: (scene: Scene, show: (code: string) => Promise<Frame>) => Promise<unknown>
  ) => State["open"]
}

/** A page or a frame. */
type View = Pick<Page, "locator">

export const press = (view: View, selector: string) => view.locator(selector).first().click()

export const consent = (required: boolean) => [
  { purpose: "video", version: "1", required, texts: [{ language: "de", text: "Ja zum Video" }] }
]

/** Few and long times, so that each can be pressed. */
const practice = (server: TestServer, options: WorldOptions) =>
  makeWorld(server, {
    ...options,
    type: { name: "Sprechstunde", duration_minutes: 480, preparation: "Bericht bereithalten", ...options.type },
    organisation: {
      name: "Praxis am Markt",
      branding: { phone: "+49 30 123456", imprint_url: "https://praxis.example/imprint" },
      ...options.organisation
    }
  })

type Statement = (sql: SqlClient.SqlClient, owner: string) => Effect.Effect<unknown, unknown>

/** Changes that no interface offers: elapsed time, corrupt data. */
export const change = ({ server, world }: Pick<Scene, "server" | "world">, statement: Statement) =>
  server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(statement(sql, world.organisation_uid))))

export const expireSessions = (scene: Pick<Scene, "server" | "world">) =>
  change(
    scene,
    (sql, owner) => sql`UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = ${owner}`
  )

export const linkTo = ({ server }: Scene, uid: string, action: "join" | "cancel" | "rebook") =>
  pageLink(server, uid, action)

/** An appointment that starts in so many seconds. */
export const startingIn = ({ world }: Scene, seconds: number, more: Readonly<Record<string, unknown>> = {}) => {
  const start_date = Math.floor(Date.now() / 1000) + seconds
  return openAppointment(world, "Testa", { start_date, end_date: start_date + 1200, ...more })
}

export const take = async (view: View) => {
  await press(view, ".next button")
  await view.locator(".held").waitFor()
}

export const confirm = async (view: View) => {
  await press(view, ".actions .primary")
  await view.locator(".done").waitFor()
}

/** A launch code that moves an appointment. */
export const moving = async (world: World) => {
  const appointment_uid = await world.booked(inDays(2), "p")
  return world.session("p", { mode: "rebooking", appointment_uid, return_url: PARTNER })
}

export const cancelled = async ({ server, world }: Scene, uid: string) => {
  const path = `/v1/management/scheduling/appointments/${uid}/cancel`
  const { status } = await server.api("POST", path, { key: world.key, body: { reason: "ill" } })
  if (status !== 200) throw new Error(`cancelling: ${status}`)
}

/** The partner's page with the widget, which records each of its events. */
const around = (server: TestServer, code: string, language: string) =>
  `<!doctype html><html lang="${language}"><title>Partner</title><script>
    window.heard = []
    for (const type of ["ready", "slot_selected", "hold_created", "confirmed", "expired", "error"])
      addEventListener("sprechstunde:" + type, () => heard.push(type), true)
  </script><main><h1>Partner</h1><div id="here"></div></main>
  <script src="${server.url}/meet/booking-widget.js" data-launch-code="${code}" data-target="#here"></script></html>`

export const stageOf = (server: TestServer, browser: Browser): Stage => {
  const newPage = async (language: string) => {
    const context = await browser.newContext({
      locale: language,
      timezoneId: "Europe/Berlin",
      viewport: { width: 390, height: 844 },
      // what moves is drawn sixty times a second
      reducedMotion: "reduce",
      permissions: ["notifications"]
    })
    context.setDefaultTimeout(60_000)
    return { context, page: await context.newPage() }
  }

  const open = async (language: string, options: WorldOptions, make: Make) => {
    const world = await practice(server, options)
    const { page, context } = await newPage(language)
    const contexts = [context]
    const goTo = (path: string) => page.goto(path.startsWith("/") ? server.url + path : path)
    await make({
      server,
      world,
      page,
      goTo,
      booking: (code, query = "") => goTo(`/meet/booking/${code}${query}`),
      another: async () => {
        const other = await newPage(language)
        contexts.push(other.context)
        return other.page
      }
    })
    return { page, server, world, contexts }
  }

  return {
    scene: (options, make) => async (language) => {
      const opened = await open(language, options, make)
      return { ...opened, view: () => opened.page.mainFrame() }
    },
    widget: (options, make) => async (language) => {
      let html = ""
      // a page of another origin, like a partner's; on loopback like the service, so that the browser allows framing
      const partner = Bun.serve({
        port: 0,
        hostname: "localhost",
        fetch: () => new Response(html, { headers: { "content-type": "text/html" } })
      })
      const { origin } = partner.url
      const organisation = { ...options.organisation, embed_origins: [origin] }
      const frameOf = (page: Page) => page.frames().find((frame) => frame.parentFrame() === page.mainFrame()) ?? null
      const opened = await open(language, { ...options, organisation }, async (scene) => {
        scene.page.context().on("close", () => void partner.stop(true))
        await make(scene, async (code) => {
          html = around(server, code, language)
          await scene.goTo(origin)
          await scene.page.frameLocator("iframe").locator("h1").waitFor()
          const frame = frameOf(scene.page)
          if (frame === null) throw new Error("the widget shows no frame")
          return frame
        })
      })
      return { ...opened, view: () => frameOf(opened.page) }
    }
  }
}

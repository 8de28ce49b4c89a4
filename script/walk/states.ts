/** Every state of every hosted page, each made anew by whoever asks for it. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { actionLink, doctorsMeeting, openAppointment } from "../../tests/support/meetings.ts"
import type { TestServer } from "../../tests/support/server.ts"
import { inDays, makeWorld, random, type World, type WorldOptions } from "../../tests/support/world.ts"

const PARTNER = "https://shop.example/thanks"

/** A state, opened: its page, whose organisation it belongs to, and what has to be closed after it. */
export interface Opened {
  readonly page: Page
  readonly world: World
  readonly contexts: ReadonlyArray<BrowserContext>
}

export interface State {
  readonly name: string
  /** the document's status, where it is not 200 */
  readonly status?: number
  /** nothing can be known of whose page it is: it has no way on but the link that its text speaks of */
  readonly anonymous?: boolean
  readonly open: (language: string) => Promise<Opened>
}

const consent = [{ purpose: "video", version: "1", required: true, texts: [{ language: "de", text: "Ja zum Video" }] }]

const press = (page: Page, selector: string) => page.locator(selector).first().click()

export const statesOf = (server: TestServer, browser: Browser): ReadonlyArray<State> => {
  const newPage = async (language: string) => {
    const context = await browser.newContext({
      locale: language,
      timezoneId: "Europe/Berlin",
      viewport: { width: 390, height: 844 },
      permissions: ["notifications"]
    })
    context.setDefaultTimeout(60_000)
    return { context, page: await context.newPage() }
  }

  /** Few and long times, so that each can be pressed. */
  const practice = (options: WorldOptions = {}) =>
    makeWorld(server, {
      ...options,
      type: { name: "Sprechstunde", duration_minutes: 480, preparation: "Bericht bereithalten", ...options.type },
      organisation: {
        name: "Praxis am Markt",
        branding: { phone: "+49 30 123456", imprint_url: "https://praxis.example/imprint" },
        ...options.organisation
      }
    })

  const change = (
    world: World,
    statement: (sql: SqlClient.SqlClient, owner: string) => Effect.Effect<unknown, unknown>
  ) => server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(statement(sql, world.organisation_uid))))
  const expire = (world: World) =>
    change(
      world,
      (sql, owner) => sql`UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = ${owner}`
    )

  interface Scene {
    readonly world: World
    readonly page: Page
    readonly goTo: (address: string) => Promise<unknown>
    readonly booking: (code: string, query?: string) => Promise<unknown>
    readonly another: () => Promise<Page>
  }

  const scene =
    (options: WorldOptions, make: (scene: Scene) => Promise<unknown>) =>
    async (language: string): Promise<Opened> => {
      const world = await practice(options)
      const { page, context } = await newPage(language)
      const contexts = [context]
      const goTo = (address: string) => page.goto(address)
      await make({
        world,
        page,
        goTo,
        booking: (code, query = "") => goTo(`${server.url}/meet/booking/${code}${query}`),
        another: async () => {
          const other = await newPage(language)
          contexts.push(other.context)
          return other.page
        }
      })
      return { page, world, contexts }
    }

  const range = { from: inDays(1), to: inDays(15), return_url: PARTNER }
  const take = async (page: Page) => {
    await press(page, ".next button")
    await page.locator(".held").waitFor()
  }
  const confirm = async (page: Page) => {
    await press(page, ".actions .primary")
    await page.locator(".done").waitFor()
  }
  const moving = async (world: World) => {
    const appointment_uid = await world.booked(inDays(2), "p")
    return world.session("p", { mode: "rebooking", appointment_uid, return_url: PARTNER })
  }
  const linkTo = async (world: World, uid: string, action: "join" | "cancel" | "rebook") =>
    actionLink(server, world, uid, action)
  const at = async (world: World, seconds: number) => {
    const start_date = Math.floor(Date.now() / 1000) + seconds
    return openAppointment(world, "Testa", { start_date, end_date: start_date + 1200 })
  }
  const strict = { type: { cancellation_min_notice_minutes: 100_000, rebooking_min_notice_minutes: 100_000 } }

  const booking: ReadonlyArray<State> = [
    { name: "times", open: scene({}, async ({ world, booking }) => booking(await world.session("p", range))) },
    {
      name: "times, later days, by one doctor, in the evening",
      open: scene({}, async ({ world, booking, page }) => {
        await booking(await world.session("p", range), `?doctor=${world.doctor}&part=morning`)
        await press(page, ".pager a")
        await page.locator(".pager a").first().waitFor()
      })
    },
    {
      name: "times, one held",
      open: scene({}, async ({ world, booking, page }) => {
        const code = await world.session("p", range)
        await booking(code)
        await take(page)
        await booking(code, "?step=times")
      })
    },
    {
      name: "times, the chosen one taken",
      open: scene({ doctors: 1 }, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        await world.booked(Number((await page.locator(".next button").getAttribute("value"))?.split(".")[0]), "q")
        await press(page, ".next button")
        await page.locator("[role=alert]").waitFor()
      })
    },
    {
      name: "no time",
      open: scene({}, async ({ world, booking }) =>
        booking(await world.session("p", { from: inDays(1) + 60, to: inDays(1) + 120, return_url: PARTNER }))
      )
    },
    {
      name: "details",
      open: scene({}, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        await take(page)
      })
    },
    {
      name: "details, with consent",
      open: scene({ organisation: { consent } }, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        await take(page)
      })
    },
    {
      name: "details, overlapping",
      open: scene({}, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        const value = (await page.locator(".next button").getAttribute("value")) ?? ""
        const [start = "", ...doctor] = value.split(".")
        const other = world.doctors.find((uid) => uid !== doctor.join("."))
        await world.booked(Number(start), "p", { doctor_uid: other })
        await page.reload()
        await take(page)
        await page.locator(".notice.warn").first().waitFor()
      })
    },
    {
      name: "details, hold lapsed",
      open: scene({ type: { hold_ttl_seconds: 1 } }, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        await take(page)
        await page.locator("[data-over]:visible").waitFor()
      })
    },
    {
      name: "booked",
      open: scene({ organisation: { messages: ["confirmation"] } }, async ({ world, booking, page }) => {
        await booking(await world.session("p", range))
        await take(page)
        await confirm(page)
      })
    },
    { name: "new times", open: scene({}, async ({ world, booking }) => booking(await moving(world))) },
    {
      name: "new time",
      open: scene({}, async ({ world, booking, page }) => {
        await booking(await moving(world))
        await take(page)
      })
    },
    {
      name: "moved",
      open: scene({}, async ({ world, booking, page }) => {
        await booking(await moving(world))
        await take(page)
        await confirm(page)
      })
    },
    {
      name: "type no longer offered",
      status: 410,
      open: scene({}, async ({ world, booking }) => {
        const code = await world.session("p", range)
        await change(
          world,
          (sql, owner) => sql`UPDATE appointment_types SET active = false WHERE organisation_uid = ${owner}`
        )
        await booking(code)
      })
    },
    {
      name: "session expired",
      status: 404,
      open: scene({}, async ({ world, booking }) => {
        const code = await world.session("p", range)
        await expire(world)
        await booking(code)
      })
    },
    { name: "unknown launch code", status: 404, anonymous: true, open: scene({}, ({ booking }) => booking("blc_x")) },
    { name: "unknown address", status: 404, anonymous: true, open: scene({}, ({ goTo }) => goTo(`${server.url}/x`)) },
    { name: "the service's own address", open: scene({}, ({ goTo }) => goTo(`${server.url}/`)) }
  ]

  const withPublic = { organisation: { public_booking: true } }
  const fillForm = async (page: Page) => {
    await page.locator("#first_name").fill("Eva")
    await page.locator("#last_name").fill("Muster")
    await page.locator("#email").fill(`${random("eva")}@example.org`)
    await press(page, ".actions .primary")
    await page.locator("#code").waitFor()
  }
  const open: ReadonlyArray<State> = [
    {
      name: "booking without a partner",
      open: scene(withPublic, ({ world, goTo }) => goTo(`${server.url}/meet/book/${world.shop_identifier}`))
    },
    {
      name: "code from the mail",
      open: scene(withPublic, async ({ world, goTo, page }) => {
        await goTo(`${server.url}/meet/book/${world.shop_identifier}`)
        await fillForm(page)
      })
    },
    {
      name: "wrong code",
      status: 409,
      open: scene(withPublic, async ({ world, goTo, page }) => {
        await goTo(`${server.url}/meet/book/${world.shop_identifier}`)
        await fillForm(page)
        await page.locator("#code").fill("12")
        await press(page, ".actions .primary")
        await page.locator("[role=alert]").waitFor()
      })
    }
  ]

  const appointment: ReadonlyArray<State> = [
    ...(["join", "cancel", "rebook"] as const).map((action) => ({
      name: `appointment in two days, link to ${action}`,
      open: scene({ organisation: { consent: consent.map((one) => ({ ...one, required: false })) } }, async (at) =>
        at.goTo(await linkTo(at.world, await at.world.booked(inDays(2), "p"), action))
      )
    })),
    ...(
      [
        ["within the hour", 1500],
        ["room open", 60],
        ["over", -9000]
      ] as const
    ).map(([name, seconds]) => ({
      name: `appointment, ${name}`,
      open: scene({}, async ({ world, goTo }) => goTo(await linkTo(world, await at(world, seconds), "join")))
    })),
    ...(["cancel", "rebook"] as const).map((action) => ({
      name: `appointment, too late to ${action}`,
      open: scene(strict, async ({ world, goTo }) =>
        goTo(await linkTo(world, await world.booked(inDays(2), "p"), action))
      )
    })),
    {
      name: "appointment, cancelled",
      open: scene({}, async ({ world, goTo, page }) => {
        await goTo(await linkTo(world, await world.booked(inDays(2), "p"), "cancel"))
        await press(page, "button[value=cancel]")
        await page.locator(".done").waitFor()
      })
    },
    {
      name: "appointment, old link after a move",
      open: scene({}, async ({ world, goTo }) => {
        const uid = await world.booked(inDays(2), "p")
        const link = await linkTo(world, uid, "cancel")
        const code = await world.session("p", { mode: "rebooking", appointment_uid: uid })
        const held = await world.hold(code, inDays(5, 8))
        await world.confirm(code, held.body.hold_uid)
        await goTo(link)
      })
    },
    {
      name: "appointment, unknown link",
      status: 404,
      anonymous: true,
      open: scene({}, ({ goTo }) => goTo(`${server.url}/meet/appointment/aac_x`))
    },
    {
      name: "test of devices",
      open: scene({}, async ({ world, goTo, page }) => {
        await goTo(await linkTo(world, await world.booked(inDays(2), "p"), "join"))
        await press(page, 'a[href*="/devices"]')
        await page.locator("[data-connection]").waitFor()
      })
    }
  ]

  const ENTER = ".controls .primary"
  const patientIn = async ({ world, goTo, page }: Scene) => {
    const uid = await at(world, -60)
    await goTo(await linkTo(world, uid, "join"))
    await press(page, "form .primary")
    await page.locator("#video").waitFor()
    return uid
  }
  const doctorIn = async (page: Page, world: World, uid: string) => {
    await page.goto(await doctorsMeeting(server, world, uid))
    await press(page, ENTER)
    await page.locator("#queue").waitFor()
  }
  const connected = (page: Page) => page.locator('[data-call="connected"]').waitFor()
  /** A patient and a doctor in a call; `page` is the one or the other. */
  const calling = (whose: "patient" | "doctor", then: (page: Page) => Promise<unknown> = async () => {}) =>
    scene({}, async (made) => {
      const other = await made.another()
      const [patient, doctor] = whose === "patient" ? [made.page, other] : [other, made.page]
      const uid = await patientIn({ ...made, page: patient, goTo: (address) => patient.goto(address) })
      await press(patient, ENTER)
      await doctorIn(doctor, made.world, uid)
      await press(doctor, ".queue button")
      await Promise.all([connected(patient), connected(doctor)])
      await then(made.page)
    })

  const meeting: ReadonlyArray<State> = [
    { name: "patient before the waiting room", open: scene({}, patientIn) },
    {
      name: "waiting room",
      open: scene({}, async (made) => {
        await patientIn(made)
        await press(made.page, ENTER)
        await made.page.locator("[data-standing]").waitFor()
      })
    },
    { name: "patient in a call", open: calling("patient") },
    {
      name: "patient has left",
      open: calling("patient", async (page) => {
        await press(page, ".controls .control.leave")
        await page.locator(".actions .primary").waitFor()
      })
    },
    {
      name: "doctor before the room",
      open: scene({}, async ({ world, goTo }) => goTo(await doctorsMeeting(server, world, await at(world, -60))))
    },
    {
      name: "doctor's empty room",
      open: scene({}, async ({ world, page }) => doctorIn(page, world, await at(world, -60)))
    },
    { name: "doctor in a call", open: calling("doctor") },
    {
      name: "open in another window",
      open: scene({}, async ({ world, page, another }) => {
        const uid = await at(world, -60)
        await doctorIn(page, world, uid)
        await doctorIn(await another(), world, uid)
        await page.locator(".actions").waitFor()
      })
    },
    {
      name: "unknown room",
      status: 404,
      anonymous: true,
      open: scene({}, ({ goTo }) => goTo(`${server.url}/meet/meeting/x?jwt=x`))
    }
  ]
  return [...booking, ...open, ...appointment, ...meeting]
}

/** How often each event of each record has happened in an organisation, by `type subject`. */
export const eventCounts = async (server: TestServer, world: World): Promise<ReadonlyMap<string, number>> => {
  const rows = await server.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT type || ' ' || subject AS name, count(*)::int AS count FROM events
        WHERE owner_uid = ${world.organisation_uid} GROUP BY 1`
    )
  )
  return new Map(rows.map(({ name, count }) => [String(name), Number(count)]))
}

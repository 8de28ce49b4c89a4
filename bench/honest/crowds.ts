/**
 * What honest crowds do, with the limits of a real installation. Each act must succeed, or be refused with a status that the
 * specification names for it: everything else is a fault. A new limit lands with its crowd.
 */
import { arriving, type Crowd, DAY, type Installation, nextDays, own, random, soon, taking } from "./acting.ts"
import { book, bookingToken, bookOnPage, bookPublicly, Caller, type Partner, Tally } from "./client.ts"
import { practiceCrowds } from "./practices.ts"

const launchAddress = async (caller: Caller, partner: Partner, customer: string) => {
  const { body } = await caller.ask("POST", "/v1/scheduling/booking-sessions", {
    body: { mode: "booking", appointment_type_uid: partner.type_uid, ...nextDays(14) },
    headers: { "x-service-booking-token": await bookingToken(partner, customer) }
  })
  return String(body.launch_url)
}

/** Profile fields as shops have them. */
const oddValues: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  { gender: "diverse" },
  { phone: "n/a" },
  { phone: "(030) 123456" },
  { date_of_birth: 631_152_000 },
  { country_code: "de" },
  { country_code: "Germany" },
  { gender: "unknown" },
  { email: "" },
  { zip: 10_115 },
  { street: null },
  { language: "de_DE" },
  { city: "" }
]

/** Names as people have them. */
const names = [
  "Ø",
  "x".repeat(255),
  "محمد عبد الله",
  "שרה",
  "Anna 🙂",
  "Ngô Thị Ánh",
  "O’Neill-Müller",
  "李",
  "Ivan\u00a0Petrov"
]

const IN_ORDER_OLD_BROWSER = {
  "user-agent":
    "Mozilla/5.0 (Linux; Android 9; SM-G960F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.99 Mobile Safari/537.36",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
  "accept-language": "de-DE,de;q=0.9",
  "accept-encoding": "gzip, deflate"
}

export const crowds: ReadonlyArray<Crowd> = [
  {
    name: "a clinic's patients behind one address, by public booking, in a quarter of an hour",
    size: { bench: 300, test: 5 },
    act: async ({ url, size, tally, practice, codeMailedTo }) => {
      const clinic = await practice(20)
      const caller = new Caller(url, tally, own())
      await taking(size, 4, () => bookPublicly(caller, clinic, `${random("eva")}@example.org`, codeMailedTo))
    }
  },
  {
    name: "a partner's back end, 50 patients a second from one address",
    size: { bench: 500, test: 8 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(20)
      const caller = new Caller(url, tally, own())
      await arriving(size, 20, async (index) =>
        book(caller, partner, await bookingToken(partner, `customer-${index}`), nextDays(14))
      )
    }
  },
  {
    name: "a shop whose every customer has one odd value",
    size: { bench: 2, test: 1 },
    act: async ({ url, size, tally, practice }) => {
      const shop = await practice(5)
      const caller = new Caller(url, tally, own())
      const customers: ReadonlyArray<readonly [unknown, Readonly<Record<string, unknown>>]> = [
        ...oddValues.map((fields, index) => [`customer-${index}`, fields] as const),
        [4_711, {}]
      ]
      for (let round = 0; round < size; round++)
        for (const [customer, fields] of customers)
          await book(caller, shop, await bookingToken(shop, customer, { fields }), nextDays(3))
    }
  },
  {
    name: "a mobile carrier's address, on the booking page",
    size: { bench: 500, test: 5 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(20)
      const backEnd = new Caller(url, tally, own())
      const phone = new Caller(url, tally, own())
      await arriving(size, 100, async (index) =>
        bookOnPage(phone, await launchAddress(backEnd, partner, `customer-${index}`))
      )
    }
  },
  {
    name: "the assistants of 200 doctors, who page through lists",
    size: { bench: 800, test: 4 },
    act: async ({ url, size, tally, practice }) => {
      const { key } = await practice(200, { hours: [480, 960] })
      const office = new Caller(url, tally, own(), { "x-api-key": key })
      const from = soon()
      const lists = [
        "/v1/management/scheduling/appointments?limit=200",
        "/v1/management/scheduling/doctors",
        "/v1/management/doctors?limit=200",
        "/v1/management/patients?limit=200",
        "/v1/management/scheduling/appointment-types",
        `/v1/management/statistics?from=${from - (from % DAY) - 28 * DAY}&to=${from - (from % DAY)}`
      ]
      await taking(size, 20, async () => {
        for (const list of lists) await office.ask("GET", list)
      })
    }
  },
  {
    name: "a pharmacy that imports its SKUs and polls its orders",
    size: { bench: 20_000, test: 100 },
    act: async ({ url, size, tally, pharmacy }) => {
      const { key, skus } = await pharmacy(size)
      const caller = new Caller(url, tally, own(), { "x-api-key": key })
      const api = "/v1/external_pharmacy_api"
      let isImported = false
      const polling = (async () => {
        while (!isImported) {
          await caller.ask("GET", `${api}/pharmacy_orders/?limit=100`)
          await Bun.sleep(50)
        }
      })()
      for (let at = 0; at < skus.length; at += 1_000) {
        const data = skus.slice(at, at + 1_000).map((uid, index) => ({ uid, price: 500 + index, stock: index }))
        const { body } = await caller.ask("PATCH", `${api}/pharmacy_skus/`, { body: { data } })
        const failed = (body.data ?? []).filter(({ status }) => status !== 200).length
        if (failed > 0) tally.refuse("a row of the import")
      }
      for (let page = 0; page * 500 < skus.length; page++)
        await caller.ask("GET", `${api}/pharmacy_skus/?limit=500&page=${page}`)
      isImported = true
      await polling
    }
  },
  {
    name: "a client that repeats every 429 and 5xx as told",
    size: { bench: 200, test: 30 },
    act: async ({ url, size, tally, practice }) => {
      const { shop_uid } = await practice(1)
      const caller = new Caller(url, tally, own())
      await arriving(size, 1, async () => {
        const path = `/v1/scheduling/appointment-types?shop_uid=${shop_uid}`
        const { status } = await caller.askAgain("GET", path)
        if (status !== 200) tally.refuse(`${status} in the end`)
      })
    }
  },
  {
    name: "a clock that is ninety seconds off",
    size: { bench: 20, test: 4 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(2)
      const caller = new Caller(url, tally, own())
      for (let index = 0; index < size; index++) {
        const token = await bookingToken(partner, `customer-${index}`, { clock: index % 2 === 0 ? 90 : -90 })
        await book(caller, partner, token, nextDays(7))
      }
    }
  },
  {
    name: "names of one letter, 255 letters, right to left, emoji",
    size: { bench: 3, test: 1 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(2)
      const caller = new Caller(url, tally, own())
      for (let round = 0; round < size; round++)
        for (const name of names) {
          const fields = { first_name: name, last_name: name }
          await book(caller, partner, await bookingToken(partner, random("customer"), { fields }), nextDays(7))
        }
    }
  },
  {
    name: "visits booked a year ahead",
    size: { bench: 50, test: 4 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(2)
      const caller = new Caller(url, tally, own())
      const from = soon() + 365 * DAY
      for (let index = 0; index < size; index++)
        await book(caller, partner, await bookingToken(partner, `customer-${index}`), { from, to: from + 31 * DAY })
    }
  },
  {
    name: "IPv6 with changing suffixes",
    size: { bench: 50, test: 4 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(2)
      const hex = () => Math.floor(Math.random() * 65_536).toString(16)
      const network = `2001:db8:${hex()}:${hex()}`
      const caller = new Caller(url, tally, () => `${network}:${hex()}:${hex()}:${hex()}:${hex()}`)
      await arriving(size, 200, async (index) =>
        bookOnPage(caller, await launchAddress(caller, partner, `customer-${index}`))
      )
    }
  },
  {
    name: "a browser of five years ago, without scripts",
    size: { bench: 20, test: 2 },
    act: async ({ url, size, tally, practice }) => {
      const partner = await practice(2)
      const backEnd = new Caller(url, tally, own())
      for (let index = 0; index < size; index++)
        await bookOnPage(
          new Caller(url, tally, own(), IN_ORDER_OLD_BROWSER),
          await launchAddress(backEnd, partner, `customer-${index}`)
        )
    }
  },
  ...practiceCrowds,
  {
    name: "a session kept open overnight",
    size: { bench: 5, test: 1 },
    act: async ({ url, size, tally, practice, advance }) => {
      const partner = await practice(2)
      const caller = new Caller(url, tally, own())
      const addresses: Array<string> = []
      const booked: Array<string> = []
      for (let index = 0; index < size; index++) {
        addresses.push(await launchAddress(caller, partner, `customer-${index}`))
        const code = await book(caller, partner, await bookingToken(partner, `early-${index}`), {
          from: soon() + 2 * DAY,
          to: soon() + 9 * DAY
        })
        if (typeof code === "string") booked.push(code)
      }
      await advance(12 * 3_600)
      for (const [index, address] of addresses.entries()) {
        // The session has ended (404 by interface): the page says so, and a new one is opened
        await caller.ask("GET", address, { named: [404, 410] })
        await bookOnPage(caller, await launchAddress(caller, partner, `customer-${index}`))
      }
      for (const code of booked) await caller.ask("GET", `/meet/booking/${code}`, { named: [404, 410] })
    }
  }
]

export interface Outcome {
  readonly crowd: string
  readonly size: number
  readonly requests: number
  readonly repeated: number
  readonly refused: number
  readonly "slowest, ms": number
  readonly refusals: Readonly<Record<string, number>>
}

/** Runs a crowd and counts what it was refused. */
export const outcomeOf = async (crowd: Crowd, size: number, installation: Installation): Promise<Outcome> => {
  const tally = new Tally()
  await crowd.act({ ...installation, size, tally })
  const refusals = Object.fromEntries(tally.refused)
  return {
    crowd: crowd.name,
    size,
    requests: tally.requests,
    repeated: tally.repeated,
    refused: Object.values(refusals).reduce((sum, count) => sum + count, 0),
    "slowest, ms": Math.round(tally.slowest),
    refusals
  }
}

import { describe, expect, test } from "bun:test"
import { type Body, present } from "../support/body.ts"
import { testBrowser } from "../support/browser.ts"
import { testServer } from "../support/server.ts"
import { BASE, makePharmacy } from "./pharmacyWorld.ts"

const server = testServer({ ROLE: "http" })
const browser = testBrowser()

const operationsOf = (document: Body) =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .sort()

describe("the pharmacies' documentation", () => {
  test("the document holds exactly the operations of this interface", async () => {
    const whole = await server.current.api("GET", "/openapi.json")
    const own = await server.current.api("GET", `${BASE}/openapi.json`)
    expect(own.body.info.title).toBe("Sprechstunde for pharmacies")
    expect(operationsOf(own.body)).toEqual(
      operationsOf(whole.body).filter((operation) => operation.includes(` ${BASE}/`))
    )
    expect(operationsOf(own.body)).toContainValues([
      `GET ${BASE}/pharmacy_orders/`,
      `PATCH ${BASE}/pharmacy_orders/{pharmacy_order_uid}/complete_order`,
      `GET ${BASE}/payouts`,
      `GET ${BASE}/pharmacy_products/`,
      `PATCH ${BASE}/pharmacy_skus/{pharmacy_sku_uid}/external_id`
    ])
    const payouts = present(own.body.paths[`${BASE}/payouts`]?.get)
    expect(payouts["x-permissions"]).toEqual(["orders_read"])
    expect(Object.keys(present(payouts.responses["200"]).content).sort()).toEqual(["application/json", "text/csv"])
  })

  test("the page shows the API, can try it, and loads nothing from other servers", async () => {
    const { key } = await makePharmacy(server.current)
    const { page, requests, complaints } = await browser.open(`${server.current.url}${BASE}/apidocs`)
    await page.getByText("List the pharmacy's SKUs").first().waitFor()
    const answer = await page.evaluate(
      async ([address, secret]) => {
        const response = await fetch(address ?? "", { headers: { "x-api-key": secret ?? "" } })
        return response.json()
      },
      [`${server.current.url}${BASE}/pharmacy_skus/`, key]
    )
    expect(answer).toMatchObject({ totalRegistries: 3 })
    const elsewhere = requests.filter((address) => /^https?:/.test(address) && !address.startsWith(server.current.url))
    expect(elsewhere).toEqual([])
    // The browser requests an icon by default.
    expect(complaints.filter((text) => !text.includes("404 (Not Found)"))).toEqual([])
  })

  test("needs no key", async () => {
    const { status, headers } = await server.current.api("GET", `${BASE}/apidocs`)
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("connect-src 'self'")
  })
})

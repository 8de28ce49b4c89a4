/** Memory of the service during a checkout with a PDF of 10 MiB, measured in a separate process. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { startServer } from "../support/server.ts"
import { startProcess } from "./support/process.ts"
import { makeShop } from "./support/shop.ts"

const MIB = 1024 * 1024

/** Resident memory of a process, in bytes. */
const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024

test("a warm process receives and serves a PDF of 10 MiB and grows by less than 60 MiB", async () => {
  const web = await startServer({ ROLE: "http" })
  const shop = await makeShop(web)
  const service = await startProcess(web.databaseUrl)
  const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(10 * MIB - 9, "% padding\n")])

  const through = async (pdf: Buffer) => {
    const body = { ...shop.bodyOf({ id: crypto.randomUUID() }) }
    const [prescription] = body.prescriptions
    const sent = await service.api("POST", `/v2/public-api/prescriptions/${shop.shop_identifier}`, {
      key: shop.key,
      body: { ...body, prescriptions: [{ ...prescription, pdf_base64: pdf.toString("base64") }] }
    })
    expect(sent.status).toBe(200)
    const uid = sent.body.prescriptions[0].prescription_uid
    const shown = await service.api("GET", `/v1/management/prescriptions/${uid}`, { key: shop.key })
    const file = await fetch(shown.body.file.url)
    return new Bun.CryptoHasher("sha256").update(await file.arrayBuffer()).digest("hex")
  }

  // the first one also grows the runtime's pools permanently
  await through(bytes)
  const before = resident(service.pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, resident(service.pid))
  }, 1)
  const returned = await through(bytes)
  clearInterval(watch)
  await service.stop()
  await web.stop()
  expect(returned).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"))
  expect((peak - before) / MIB).toBeLessThan(60)
})

/** Memory of the service during a checkout with a PDF of 10 MiB, measured in a separate process. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { rendered, signedElliptically } from "../prescriptions/support/signed.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { apiAt, testServer } from "../support/server.ts"
import { makeShop } from "./support/shop.ts"

const server = testServer({ ROLE: "http" })
const MIB = 1024 * 1024

/** Resident memory of a process, in bytes. */
const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024

test("a warm process receives, examines and serves a signed PDF of 10 MiB and grows by less than 60 MiB", async () => {
  const shop = await makeShop(server.current)
  const folder = temporaryFolder()
  const { databaseUrl: DATABASE_URL } = server.current
  const service = await startService({ DATABASE_URL, DATA_DIR: folder.path, ROLE: "http", LOG_LEVEL: "error" })
  const api = apiAt(service.url)
  const small = await signedElliptically(await rendered(), "Dr. Weber")
  const bytes = Buffer.concat([small, Buffer.alloc(10 * MIB - small.length, "% padding\n")])
  const pdf_base64 = bytes.toString("base64")
  const hashOf = (data: Parameters<Bun.CryptoHasher["update"]>[0]) =>
    new Bun.CryptoHasher("sha256").update(data).digest("hex")

  const through = async (id: string) => {
    const body = { ...shop.bodyOf({ id }), prescriptions: [{ id, pdf_base64 }] }
    const sent = await api("POST", `/v2/public-api/prescriptions/${shop.shop_identifier}`, { key: shop.key, body })
    expect(sent.status).toBe(200)
    const path = `/v1/management/prescriptions/${sent.body.prescriptions[0].prescription_uid}`
    const { file, signature } = (await api("GET", path, { key: shop.key })).body
    return [signature.present, hashOf(await (await fetch(file.url)).arrayBuffer())]
  }

  // the first one also grows the runtime's pools permanently
  await through("rx-1")
  const before = resident(service.pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, resident(service.pid))
  }, 1)
  const returned = await through("rx-2")
  clearInterval(watch)
  await service.stop()
  folder.remove()
  expect(returned).toEqual([true, hashOf(bytes)])
  expect((peak - before) / MIB).toBeLessThan(60)
})

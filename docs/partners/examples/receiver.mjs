// SPDX-License-Identifier: Apache-2.0
// A webhook receiver: takes an event only if its signature holds, and each event once.
// SECRET=whsec_… node receiver.mjs [port] [how many events to take before it ends]
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

const key = Buffer.from(process.env.SECRET.replace(/^whsec_/, ""), "base64")
const [port = 9099, count = Number.POSITIVE_INFINITY] = process.argv.slice(2).map(Number)
const seen = new Set() // in a real service: a unique column in the database

const holds = ({ "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" }, body) => {
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false // an old one, sent again by somebody else
  const expected = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest()
  // While a secret is being rotated there are two signatures; one of them suffices
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString("utf8") // the bytes as they came: parsed and written again they may differ
  if (!holds(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end() // answer first, within 15 seconds; work afterwards
  if (seen.has(request.headers["webhook-id"])) return
  seen.add(request.headers["webhook-id"])
  const event = JSON.parse(body)
  console.log(`verified ${event.type} ${event.data.change ?? ""}`)
  if (seen.size >= count) server.close()
})
server.listen(port, "127.0.0.1", () => console.log("listening"))

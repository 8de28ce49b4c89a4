/** An identity provider whose certificate is of a certification authority of the operator's own: NODE_EXTRA_CA_CERTS, docs/operating.md. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { makeCertificates } from "../support/certificates.ts"
import { eventually } from "../support/eventually.ts"
import { oidcProvider } from "../support/oidcProvider.ts"
import { freshDatabase } from "../support/postgres.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

const folder = temporaryFolder()
const certificates = makeCertificates(folder.path, ["localhost"])
let provider: Awaited<ReturnType<typeof oidcProvider>>
beforeAll(async () => {
  provider = await oidcProvider("RS256", undefined, { certificates, name: "localhost", port: 0 })
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

/** A process of the service, and the status of a request with an administrator's token. */
const startWith = async (name: string, settings: Readonly<Record<string, string>>) => {
  const { url } = await freshDatabase(migrated)
  const own = { DATABASE_URL: url, DATA_DIR: join(folder.path, name), OIDC_ISSUER: provider.issuer }
  const service = await startService({ ...own, ...settings })
  const token = await provider.token({
    audience: "sprechstunde",
    claims: { roles: ["admin"], organisation_uid: "none" }
  })
  const answer = await fetch(`${service.url}/v1/admin/scheduling/booking-token-secrets`, {
    headers: { authorization: `Bearer ${token}` }
  })
  return { service, status: answer.status }
}

test("without the setting a token is 503, and the log names it", async () => {
  const { service, status } = await startWith("without", {})
  expect(status).toBe(503)
  await eventually(
    async () => service.said(),
    (said) => said.includes("NODE_EXTRA_CA_CERTS names the file of your own")
  )
  await service.stop()
})

test("with it the provider's keys are read, and its token is accepted", async () => {
  const { service, status } = await startWith("with", { NODE_EXTRA_CA_CERTS: certificates.caFile })
  expect(status).toBe(403) // The token's organisation does not exist
  await service.stop()
})

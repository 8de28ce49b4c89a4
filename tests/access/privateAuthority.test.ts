/**
 * An identity provider whose certificate is of a certification authority of the operator's own: NODE_EXTRA_CA_CERTS,
 * docs/operating.md. The setting is read when a process starts.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { makeCertificates } from "../support/certificates.ts"
import { oidcProvider } from "../support/oidcProvider.ts"
import { run, temporaryFolder } from "../support/processes.ts"

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

/** What a process says that verifies a token of the provider. */
const saidWith = async (env: Readonly<Record<string, string>>) => {
  const token = await provider.token({ audience: "sprechstunde", claims: { roles: ["admin"] } })
  const script = join(import.meta.dir, "verifying.ts")
  const verifying = run([process.execPath, "--no-install", script, provider.issuer, "sprechstunde", token], { env })
  expect(await verifying.ended, verifying.said()).toBe(0)
  return verifying.said()
}

test("without the setting no token can be verified, and the log names it", async () => {
  const said = await saidWith({})
  expect(said).toContain("NODE_EXTRA_CA_CERTS names the file of your own")
  expect(said).toContain("IdentityUnavailable")
})

test("with it the provider's keys are read, and its token is accepted", async () => {
  expect(await saidWith({ NODE_EXTRA_CA_CERTS: certificates.caFile })).toContain("verified: admin")
})

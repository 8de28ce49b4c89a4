/** Real protocol servers for script/production, under the names and ports of docs/installing.md. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import { join } from "node:path"
import { exportJWK, generateKeyPair } from "jose"
import Provider from "oidc-provider"
import S3rver from "s3rver"
import { SMTPServer } from "smtp-server"
import { eventually } from "../../tests/support/eventually.ts"
import { collectorOf } from "../../tests/telemetry/collector.ts"

const ISSUER = "https://id.example.org:8443"
/** The only ones that s3rver knows. */
const S3_KEY = "S3RVER"

/** An OpenID provider over TLS. Its tokens of the client-credentials grant are those of an administrator of the organisation asked for. */
const startProvider = async (tls: { readonly certificate: string; readonly key: string }) => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" }
  const provider = new Provider(ISSUER, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: "portal",
        client_secret: "portal-secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: []
      }
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "",
          audience: "sprechstunde",
          accessTokenTTL: 300,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } }
        })
      }
    },
    extraTokenClaims: (_: unknown, token: { resourceServer?: { identifier(): string } }) => ({
      sub: "admin-1",
      roles: ["admin"],
      organisation_uid: token.resourceServer?.identifier().replace("urn:organisation:", "")
    })
  })
  const server = createServer({ cert: tls.certificate, key: tls.key }, provider.callback())
  await new Promise<void>((listening) => server.listen(8443, "127.0.0.1", listening))
  return server
}

export const startStandIns = async ({
  tls,
  folder
}: {
  readonly tls: { readonly certificate: string; readonly key: string }
  readonly folder: string
}) => {
  const provider = await startProvider(tls)
  const bucket = join(folder, "bucket")
  mkdirSync(bucket)
  const s3 = new S3rver({
    address: "127.0.0.1",
    port: 9000,
    silent: true,
    directory: bucket,
    vhostBuckets: false,
    configureBuckets: [{ name: "sprechstunde", configs: [] }]
  })
  await s3.run()
  const mails: Array<string> = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _, done) => {
      let text = ""
      stream.on("data", (chunk) => {
        text += chunk
      })
      stream.on("end", () => {
        mails.push(text)
        done()
      })
    }
  })
  await new Promise<void>((listening) => smtp.listen(587, "127.0.0.1", listening))
  const collector = collectorOf(() => new Response(), 4318)

  /** What of the four was not used by the installation. */
  const unused = async (said: string) => {
    const faults: Array<string> = []
    const uid = /organisation_uid +(\S+)$/m.exec(said)?.[1] ?? ""
    const key = /api_key +(\S+)$/m.exec(said)?.[1] ?? ""
    const base = "https://sprechstunde.example.org"
    const [issued, unreadable] = await Promise.all([
      requestOf(`${ISSUER}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa("portal:portal-secret")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: `urn:organisation:${uid}` })
      }),
      requestOf(`${base}/v1/admin/scheduling/booking-token-secrets`, { headers: { authorization: "Bearer none" } })
    ])
    if (unreadable.status !== 401) faults.push(`without a token: ${unreadable.status}`)
    const listed = await requestOf(`${base}/v1/admin/scheduling/booking-token-secrets`, {
      headers: { authorization: `Bearer ${issued.body.access_token}` }
    })
    if (listed.status !== 200) faults.push(`with the provider's token: ${listed.status} ${JSON.stringify(listed.body)}`)
    const organisation = await requestOf(`${base}/v1/management/organisation`, {
      method: "PATCH",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ messages: ["cancellation"] })
    })
    if (organisation.status !== 200)
      faults.push(`messages: ${organisation.status} ${JSON.stringify(organisation.body)}`)
    const appointment = /"uid": "([^"]+)",\s+"status": "confirmed"/.exec(said)?.[1] ?? ""
    const cancelled = await requestOf(`${base}/v1/scheduling/appointments/${appointment}/cancel`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ reason: "Test" })
    })
    if (cancelled.status !== 200) faults.push(`cancellation: ${cancelled.status} ${JSON.stringify(cancelled.body)}`)
    const [shop_uid = "", doctor_uid = ""] = ["shop_uid", "doctor_uid"].map(
      (name) => new RegExp(`^${name} +(\\S+)`, "m").exec(said)?.[1] ?? ""
    )
    const file = join(folder, "prescription.json")
    const prescription = {
      products: [{ uid: "prd_one", display_name: "Ibuprofen", handle: "ibuprofen" }],
      skus: [
        {
          uid: "sku_one",
          product_uid: "prd_one",
          display_name: "400 mg Filmtabletten",
          pzn: "01234567",
          standard_selling_unit: 20,
          unit: "Stück",
          selling_price: 1000
        }
      ],
      prescriptions: [
        {
          uid: "prx_one",
          organisation_uid: uid,
          shop_uid,
          status: "WAITING_FOR_DOCTOR",
          doctor_uid,
          patient: { first_name: "Ada", last_name: "Lovelace", date_of_birth: 641_520_000, gender: "female" },
          items: [{ uid: "item_1", sku_uid: "sku_one", quantity: 2, dosage: "1-0-1" }]
        }
      ]
    }
    writeFileSync(file, JSON.stringify(prescription), { mode: 0o644 })
    chmodSync(folder, 0o755)
    const provisioned = Bun.spawn(["sprechstunde", "app", "provision", file], {
      stdio: ["ignore", "inherit", "inherit"]
    })
    if ((await provisioned.exited) !== 0) faults.push("the prescription was not provisioned")
    const place = `${base}/v1/management/prescriptions/prx_one`
    const rendering = await requestOf(`${place}/render`, { method: "POST", headers: { "x-api-key": key } })
    if (rendering.status >= 300) faults.push(`rendering: ${rendering.status} ${JSON.stringify(rendering.body)}`)
    const waitFor = (what: string, found: () => boolean) =>
      eventually(
        async () => found(),
        (is) => is,
        90
      ).catch(() => void faults.push(what))
    await waitFor("the bucket has no object", () =>
      [...new Bun.Glob("**/files/**").scanSync({ cwd: bucket })].some((name) => name.endsWith("object"))
    )
    await waitFor("no mail arrived", () => mails.some((text) => text.includes("ada@example.org")))
    await waitFor("the collector got no metrics of three processes", () => {
      const instances = new Set(collector.resources.map((of) => of["service.instance.id"]))
      return instances.size >= 3 && collector.spans.length > 0
    })
    return faults
  }
  return {
    s3: { accessKeyId: S3_KEY, secretAccessKey: S3_KEY },
    unused,
    stop: async () => {
      provider.close()
      smtp.close(() => undefined)
      await s3.close()
      await collector.stop()
    }
  }
}

/** As a caller who knows the test's certification authority. */
const requestOf = async (url: string, init: RequestInit) => {
  const answer = await fetch(url, { ...init, tls: { rejectUnauthorized: false } } as RequestInit)
  return { status: answer.status, body: await answer.json().catch(() => ({})) }
}

/** Real protocol servers for script/production, under the names and ports of docs/installing.md. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import S3rver from "s3rver"
import { SMTPServer } from "smtp-server"
import type { Certificates } from "../../tests/support/certificates.ts"
import { eventually } from "../../tests/support/eventually.ts"
import { oidcProvider } from "../../tests/support/oidcProvider.ts"
import { collectorOf } from "../../tests/telemetry/collector.ts"

/** The only ones that s3rver knows. */
const S3_KEY = "S3RVER"

export const startStandIns = async ({
  certificates,
  folder
}: {
  readonly certificates: Certificates
  readonly folder: string
}) => {
  const provider = await oidcProvider("RS256", undefined, { certificates, name: "id.example.org", port: 8443 })
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
    const token = await provider.token({
      audience: "sprechstunde",
      claims: { roles: ["admin"], organisation_uid: uid }
    })
    const unreadable = await requestOf(`${base}/v1/admin/scheduling/booking-token-secrets`, {
      headers: { authorization: "Bearer none" }
    })
    if (unreadable.status !== 401) faults.push(`without a token: ${unreadable.status}`)
    const listed = await requestOf(`${base}/v1/admin/scheduling/booking-token-secrets`, {
      headers: { authorization: `Bearer ${token}` }
    })
    if (listed.status !== 200) faults.push(`with the provider's token: ${listed.status} ${JSON.stringify(listed.body)}`)
    const organisation = await requestOf(`${base}/v1/management/organisation`, {
      method: "PATCH",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ messages: ["cancellation"] })
    })
    if (organisation.status !== 200)
      faults.push(`messages: ${organisation.status} ${JSON.stringify(organisation.body)}`)
    const [, appointment = ""] = [...said.matchAll(/"uid": "([^"]+)",\s+"status": "confirmed"/g)].at(-1) ?? []
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
      await provider.stop()
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

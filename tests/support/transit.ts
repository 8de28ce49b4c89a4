/** The two operations of Vault's transit engine, by its documentation, with AES-256-GCM and key versions. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const refused = (status: number, ...errors: ReadonlyArray<string>) => Response.json({ errors }, { status })

interface Asked {
  readonly plaintext?: string
  readonly ciphertext?: string
  readonly associated_data?: string
}

export const startTransit = (token: string, key: string) => {
  const versions = [randomBytes(32)]
  const requested: Array<string> = []
  let isSealed = false
  let isSilent = false

  const encrypt = ({ plaintext = "", associated_data = "" }: Asked) => {
    const iv = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", versions.at(-1) ?? "", iv).setAAD(
      Buffer.from(associated_data, "base64")
    )
    const bytes = Buffer.concat([iv, cipher.update(plaintext, "base64"), cipher.final(), cipher.getAuthTag()])
    return Response.json({
      data: { ciphertext: `vault:v${versions.length}:${bytes.toString("base64")}`, key_version: versions.length }
    })
  }
  const decrypt = ({ ciphertext = "", associated_data = "" }: Asked) => {
    const [, version = "", data = ""] = ciphertext.split(":")
    const bytes = Buffer.from(data, "base64")
    try {
      const cipher = createDecipheriv(
        "aes-256-gcm",
        versions[Number(version.slice(1)) - 1] ?? "",
        bytes.subarray(0, 12)
      )
        .setAAD(Buffer.from(associated_data, "base64"))
        .setAuthTag(bytes.subarray(-16))
      const plaintext = Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()])
      return Response.json({ data: { plaintext: plaintext.toString("base64") } })
    } catch {
      return refused(400, "cipher: message authentication failed")
    }
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      requested.push(pathname)
      if (isSilent) await new Promise(() => {})
      if (isSealed) return refused(503, "Vault is sealed")
      if (request.headers.get("x-vault-token") !== token) return refused(403, "permission denied")
      const body = (await request.json()) as Asked // as: this process's own client
      if (pathname === `/v1/transit/encrypt/${key}`) return encrypt(body)
      return pathname === `/v1/transit/decrypt/${key}` ? decrypt(body) : refused(404)
    }
  })
  return {
    url: server.url.origin,
    asked: requested,
    rotate: () => void versions.push(randomBytes(32)),
    seal: (sealed: boolean) => {
      isSealed = sealed
    },
    /** Requests are accepted and never answered. */
    silence: (silent: boolean) => {
      isSilent = silent
    },
    stop: () => server.stop(true)
  }
}

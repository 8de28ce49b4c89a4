/** The master key of envelope encryption: MASTER_KEY, or one generated once in DATA_DIR for development. */
import { FileSystem } from "@effect/platform"
import { ConfigError, Effect, Layer, Redacted } from "effect"
import { Settings } from "../config.ts"
import { MasterKeyCanary } from "../services/sealing/MasterKeyCanary.ts"
import { make, SecretBox } from "../services/sealing/SecretBox.ts"
import { withoutOwner } from "../services/tenancy/Tenancy.ts"

const BYTES = 32

const checked = (name: string, secret: Redacted.Redacted<string>) =>
  Buffer.from(Redacted.value(secret), "base64").length === BYTES
    ? Effect.succeed(secret)
    : Effect.fail(ConfigError.InvalidData([name], "must be 32 bytes, base64 (openssl rand -base64 32)"))

const generated = Effect.fnUntraced(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = `${dataDir}/master-key`
  if (!(yield* files.exists(path))) {
    yield* files.makeDirectory(dataDir, { recursive: true })
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES))).toString("base64")
    yield* files.writeFileString(path, key, { mode: 0o600, flag: "wx" })
    yield* Effect.logWarning(`made a development master key in ${path}; set MASTER_KEY where data matters`)
  }
  return Redacted.make((yield* files.readFileString(path)).trim())
}, Effect.orDie)

export const SecretBoxLive = Layer.effect(
  SecretBox,
  Effect.gen(function* () {
    const { masterKey, previousMasterKeys, nextMasterKey, dataDir } = yield* Settings
    const current = yield* checked("MASTER_KEY", masterKey ?? (yield* generated(dataDir)))
    const previous = previousMasterKeys === undefined ? [] : Redacted.value(previousMasterKeys).split(",")
    const old = yield* Effect.forEach(previous, (key) => checked("MASTER_KEY_PREVIOUS", Redacted.make(key.trim())))
    const next = nextMasterKey === undefined ? [] : [yield* checked("MASTER_KEY_NEXT", nextMasterKey)]
    return yield* make(current, [...old, ...next])
  })
)

/** Fails at start-up if the key does not decrypt the database's canary. */
export const MasterKeyVerified = Layer.effectDiscard(
  Effect.flatMap(MasterKeyCanary, ({ open }) => withoutOwner(open))
).pipe(Layer.provide(MasterKeyCanary.Default))

/** The capabilities that CAPABILITIES selects. Fails at start for an unknown name, and for one without another that it needs. */
import { Data, Effect, Layer } from "effect"
import type { AnyInstalled, ManifestOf } from "../capability.ts"
import { Settings } from "../config.ts"
import { Capabilities, declare, type Held } from "../declarations.ts"
import { addKeptRecords, addRetentionRules } from "../services/operation/addedRetention.ts"

class WrongCapabilities extends Data.TaggedError("WrongCapabilities")<{ readonly reason: string }> {
  override get message() {
    return `CAPABILITIES: ${this.reason}`
  }
}

/** `all`, `none`, or a list of names. */
export const select = Effect.fnUntraced(function* <C extends Held>(text: string, installed: ReadonlyArray<C>) {
  const names = text.split(",").flatMap((name) => name.trim() || [])
  const known = installed.filter(({ switched }) => switched).map(({ name }) => name)
  const asked = text === "all" ? known : text === "none" ? [] : names
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined)
    return yield* new WrongCapabilities({ reason: `${unknown} is not one of ${known.join(", ")}, all or none` })
  const on = installed.filter(({ name, switched }) => !switched || asked.includes(name))
  for (const { name, needs } of on) {
    const missing = needs.find((one) => !asked.includes(one))
    if (missing !== undefined) return yield* new WrongCapabilities({ reason: `${name} needs ${missing}` })
  }
  return on
})

/** Those that are on, of those that the code has. The modules of the others are not evaluated. */
export const selected = Effect.fnUntraced(function* <I extends AnyInstalled>(installed: ReadonlyArray<I>) {
  const settings = yield* Settings
  const on = yield* select(settings.capabilities, installed)
  for (const one of installed) {
    const setting = on.includes(one) ? null : one.setting(settings)
    if (setting !== null) return yield* new WrongCapabilities({ reason: `${setting} needs ${one.name}` })
  }
  // The cast: what is called is the method of this type
  return on.map(({ manifest }) => manifest() as ManifestOf<I>)
})

export const CapabilitiesLive = (installed: ReadonlyArray<AnyInstalled>) =>
  Layer.effect(
    Capabilities,
    Effect.map(selected(installed), (on) => {
      declare(on)
      addRetentionRules(installed.flatMap(({ retention }) => retention))
      addKeptRecords(installed.flatMap(({ keptRecords }) => keptRecords))
      return { installed, on }
    })
  )

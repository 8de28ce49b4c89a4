import { ConfigError, Effect } from "effect"

/** Fails at start for a setting whose capability was deleted from the code: nothing that is set is ignored. */
export const unserved = (setting: string) =>
  Effect.fail(ConfigError.Unsupported([setting], "no capability of this build knows this setting"))

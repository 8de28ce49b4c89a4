/** Annotations of endpoints and groups that more than one part of the service reads. */

import { Context, Option } from "effect"
import type { endpointsOf } from "./endpoints.ts"

export type Declared = Pick<ReturnType<typeof endpointsOf>[number], "group" | "endpoint">

/** Of a group: what its records are called in operation ids, such as `listReminders` and `getReminder` of `Reminder`. */
export class Noun extends Context.Tag("http/Noun")<Noun, string>() {}

/**
 * Of a GET, or of all of a group's that do not say otherwise: `true` if the read is entered into the audit log, otherwise why not. A test
 * fails for one that does not say.
 */
export class Recorded extends Context.Tag("http/Recorded")<Recorded, true | string>() {}

export const recordedOf = ({ group, endpoint }: Declared): true | string | undefined =>
  Option.getOrUndefined(
    Option.orElse(Context.getOption(endpoint.annotations, Recorded), () =>
      Context.getOption(group.annotations, Recorded)
    )
  )

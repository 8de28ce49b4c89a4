/** Kinds of data with a retention period that an organisation sets (section 12.6). */
export interface RetentionKind {
  /** What the kind covers, and when its period begins. */
  readonly what: string
  /** Default, in days. */
  readonly days: number
  /** The minimum that an organisation may set, in days: the period required by law, else 1. */
  readonly minimum: number
  /** Why the data is kept, and why not longer. */
  readonly reason: string
}

const added = new Map<string, RetentionKind>()
/** Adds kinds of a capability, by name. Called at start. */
export const addRetentionKinds = (some: Readonly<Record<string, RetentionKind>>) => {
  for (const [name, kind] of Object.entries(some)) added.set(name, kind)
}
/** Those of the capabilities that are on, by name. */
export const addedRetentionKinds = (): Readonly<Record<string, RetentionKind>> => Object.fromEntries(added)

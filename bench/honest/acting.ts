/** What crowds are made of: the installation that they act against, and how many act at a time. */
import type { Partner, Tally } from "./client.ts"

/** What a practice has beside the default. */
export interface PracticeChoices {
  /** Its hours from Monday to Friday in minutes of the day; otherwise day and night. */
  readonly hours?: readonly [from: number, to: number]
  readonly timezone?: string
}

export interface Installation {
  readonly url: string
  /** A practice with so many doctors, its shop and its API key. */
  readonly practice: (doctors: number, choices?: PracticeChoices) => Promise<Partner>
  /** A pharmacy with so many SKUs; its API key and the uids of its SKUs. */
  readonly pharmacy: (skus: number) => Promise<{ readonly key: string; readonly skus: ReadonlyArray<string> }>
  readonly codeMailedTo: (email: string) => Promise<string>
  /** The first match in a mail to this address, once there is one. */
  readonly mailedTo: (email: string, part: RegExp) => Promise<string>
  /** A calendar that is kept elsewhere; its address. */
  readonly calendar: (ics: string) => string
  /** What the service does each minute. */
  readonly minute: () => Promise<unknown>
  /** Moves the service's time, seconds. */
  readonly advance: (seconds: number) => Promise<unknown>
}

export interface Crowd {
  readonly name: string
  /** People or requests: in the bench, and in the short form among the tests. */
  readonly size: { readonly bench: number; readonly test: number }
  readonly act: (crowd: Acting) => Promise<unknown>
}
export interface Acting extends Installation {
  readonly size: number
  readonly tally: Tally
}

export const DAY = 86_400
export const soon = () => Math.ceil(Date.now() / 1000) + 3_600
export const nextDays = (days: number) => ({ from: soon(), to: soon() + days * DAY })
export const random = (prefix: string) => `${prefix}_${crypto.randomUUID().slice(0, 8)}`
const octet = () => Math.floor(Math.random() * 250) + 1
/** An address of one's own. */
export const own = () => {
  const address = `198.51.${octet()}.${octet()}`
  return () => address
}

/** So many people, of whom so many act at a time. */
export const taking = async (people: number, atOnce: number, act: (index: number) => Promise<unknown>) => {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < people) await act(next++)
    })
  )
}

/** So many people, one after another each so many milliseconds, not waiting for each other. */
export const arriving = (people: number, every: number, act: (index: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: people }, async (_, index) => {
      await Bun.sleep(index * every)
      await act(index)
    })
  )

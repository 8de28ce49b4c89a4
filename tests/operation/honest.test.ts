/** What honest crowds do, in a short form: `bun run bench:honest` runs the whole. None is refused in a way that the specification does not name. */
import { expect, test } from "bun:test"
import type { Installation } from "../../bench/honest/acting.ts"
import { crowds, outcomeOf } from "../../bench/honest/crowds.ts"
import { honestSettings, installationOf } from "../../bench/honest/installation.ts"
import { ownServer } from "../support/server.ts"

const server = ownServer(honestSettings) // one crowd moves the time

/** Two crowds come to the same hospital of 200 doctors, which takes long to make; few doctors have time enough for the others. */
let hospital: ReturnType<Installation["practice"]> | undefined
const installation = (): Installation => {
  const made = installationOf(server.current)
  const practice: Installation["practice"] = (doctors, choices) => {
    if (doctors < 200) return made.practice(Math.min(doctors, 5), choices)
    hospital ??= made.practice(doctors, choices)
    return hospital
  }
  return { ...made, practice }
}

test.each(crowds)("$name", async (crowd) => {
  const { requests, refusals } = await outcomeOf(crowd, crowd.size.test, installation())
  expect(requests).toBeGreaterThan(0)
  expect(refusals).toEqual({})
})

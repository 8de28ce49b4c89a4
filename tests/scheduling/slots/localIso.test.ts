/** Local times as text and as bytes are Temporal's, also where the clocks change and a day begins within one offset. */
import { expect, test } from "bun:test"
import { temporal } from "../../../src/schemas/timeZones.ts"
import { localIsoBytes, localIsoWriter } from "../../../src/services/scheduling/slots/localIso.ts"
import { zoneOf } from "../../../src/services/scheduling/slots/zones.ts"

const ZONES = [
  "Europe/Berlin",
  "UTC",
  "Asia/Kolkata",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "Pacific/Apia"
]
const expected = (zone: string, instant: number) =>
  temporal.Instant.fromEpochMilliseconds(instant * 1000)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" })

test("in any order of instants", () => {
  for (const zone of ZONES) {
    const [text, bytes] = [localIsoWriter(zoneOf(zone)), localIsoBytes(zoneOf(zone))]
    // Two years by uneven steps, each with a step back
    for (let instant = 1_767_225_600; instant < 1_830_000_000; instant += 20_011)
      for (const one of [instant, instant + 59, instant - 86_400, instant]) {
        const wanted = expected(zone, one)
        expect([zone, text(one), Buffer.from(bytes(one)).toString()]).toEqual([zone, wanted, wanted])
      }
  }
})

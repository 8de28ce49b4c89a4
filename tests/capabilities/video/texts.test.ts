import { expect, test } from "bun:test"
import { meetingTexts } from "../../../src/capabilities/video/texts/meeting.ts"
import { plural } from "../../../src/texts/fill.ts"
import { languages } from "../../../src/texts/language.ts"

test("how long and how many the patient waits for has the form of its number", () => {
  const { waitExpected, waitPosition } = meetingTexts("de")
  expect([1, 2].map((count) => plural("de", waitExpected, count))).toEqual([
    "Voraussichtlich noch etwa 1 Minute.",
    "Voraussichtlich noch etwa 2 Minuten."
  ])
  expect(plural("de", waitPosition, 1)).toBe("Vor Ihnen wartet noch eine Person.")
})

test("what ended a call is said in one line, and what to do about it below", () => {
  for (const language of languages)
    for (const heading of Object.values(meetingTexts(language).endings)) {
      expect(heading).not.toMatch(/[.!?]/)
      expect(heading.length).toBeLessThan(50)
    }
})

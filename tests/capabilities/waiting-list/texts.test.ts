/** The mail about an entry, in each language. Rule 19.3.3. */
import { expect, test } from "bun:test"
import { pageTextsOf } from "../../../src/capabilities/waiting-list/texts/page.ts"
import { languages } from "../../../src/texts/language.ts"

test("the mail's first sentence has a capital letter", () => {
  for (const language of languages.filter((one) => one !== "ar"))
    expect(pageTextsOf(language).entered.opening).toMatch(/^\p{Lu}/u)
})

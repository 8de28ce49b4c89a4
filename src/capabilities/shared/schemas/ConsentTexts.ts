/** The texts for which an organisation asks consent. Section 12.5. */
import { Schema } from "effect"
import { listOf } from "../../../schemas/fields.ts"
import { ConsentText } from "../../../schemas/patients/Consent.ts"

const repeated = (texts: ReadonlyArray<ConsentText>) =>
  texts.findIndex(({ purpose }, at) => texts.findIndex((other) => other.purpose === purpose) < at)

export const ConsentTexts = listOf(ConsentText, {
  max: 2,
  description: "The texts that consent is asked to, at most one for each purpose; none: no consent is asked"
}).pipe(
  Schema.filter((texts) => {
    const at = repeated(texts)
    return at === -1 ? true : { path: [at, "purpose"], message: "has a text already" }
  })
)

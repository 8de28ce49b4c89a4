/** Consents on patients' pages: ask and give (Rule 12.5.3). */
import { Effect } from "effect"
import type { OrganisationUid, PatientUid } from "../../schemas/ids.ts"
import type { ConsentText } from "../../schemas/patients/Consent.ts"
import { Consents } from "./Consents.ts"

/** The patient, and the format of the appointment. */
export interface Consenting {
  readonly organisation_uid: OrganisationUid
  readonly patient_uid: PatientUid
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
}

export class PageConsents extends Effect.Service<PageConsents>()("patients/PageConsents", {
  effect: Effect.gen(function* () {
    const consents = yield* Consents

    /** The texts that the patient must still be asked; video texts only for a video appointment. */
    const asked = ({ organisation_uid, patient_uid, meeting_format }: Consenting) =>
      Effect.map(consents.missing(organisation_uid, patient_uid), (texts) =>
        texts.filter(({ purpose }) => purpose !== "video" || meeting_format === "DIGITAL")
      )

    /** Stores the given consents. Fails with `PatientNotFound`, or with `Invalid` for a text that is no longer in force. */
    const give = Effect.fn("PageConsents.give")(
      (to: Consenting, agreed: ReadonlyArray<Pick<ConsentText, "purpose" | "version">>, language: string) =>
        Effect.forEach(agreed, ({ purpose, version }) =>
          consents.give(to.organisation_uid, to.patient_uid, { purpose, version, language })
        )
    )

    return { asked, give } as const
  }),
  dependencies: [Consents.Default]
}) {}

import type { Texts } from "../../../texts/de.ts"
import { en } from "../../../texts/en.ts"

/** What is written in another way in the United States; dates and clock times follow the locale. */
export const enUS: Texts = {
  ...en,
  booking: { ...en.booking, formats: { ...en.booking.formats, IN_PERSON: "Office visit" } },
  appointment: {
    ...en.appointment,
    movedOrCancelled: "This appointment was moved or canceled",
    onSiteTitle: "Office visit",
    onSiteText: "Please come to the office a few minutes before the start.",
    cancellationRule: "Canceling",
    cancelled: "Your appointment is canceled",
    cancelBlocked: "This appointment can no longer be canceled here."
  },
  person: { ...en.person, phone: "Phone (optional)" },
  messages: {
    ...en.messages,
    cancelReason: "Reason for canceling",
    closing: "Sincerely,\n{organisation}"
  }
}

/** Statuses of the errors of the waiting list. */
import { addProblems, problem } from "../../../http/problems.ts"
import { TooManyEntries, WaitlistEntryNotFound, WaitlistEntryOver, WaitlistOfferNotFound } from "../schemas/errors.ts"

addProblems(404, WaitlistEntryNotFound, WaitlistOfferNotFound)
addProblems(409, WaitlistEntryOver)
addProblems(429, TooManyEntries)

export { problem }

/** Retention of the erasure list: longer than any backup should be kept. */
export const ERASURE_LIST_DAYS = 400

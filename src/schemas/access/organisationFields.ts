import { addedFields } from "../addedFields.ts"

/** Fields that capabilities add to organisations. */
export const organisationFields = addedFields()

/** Profile fields that the booking page asks for, where a partner sent a value that cannot be used (Rule 1.6.5). */

export const askedProfileFields = [
  "first_name",
  "last_name",
  "date_of_birth",
  "gender",
  "email",
  "phone",
  "street",
  "zip",
  "city",
  "country_code"
] as const
export type AskedProfileField = (typeof askedProfileFields)[number]

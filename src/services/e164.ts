/** Telephone numbers as they leave the service: in E.164, which gateways and partners take. Rule 6.7.10. */
import type * as PhoneNumbers from "libphonenumber-js/min"

/** Loaded on its first use: it has the numbers of all countries. */
const phoneNumbers = (): typeof PhoneNumbers => require("libphonenumber-js/min")

/** The number in E.164, a national form by the country's rules; undefined for a text that cannot be brought to it. */
export const e164Of = (phone: string, country: string): string | undefined => {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers()
  const isKnown: (country: string) => country is PhoneNumbers.CountryCode = isSupportedCountry
  const found = parsePhoneNumberFromString(phone, isKnown(country) ? country : undefined)
  return found?.isValid() === true ? found.number : undefined
}

/** Telephone numbers as they leave the service: in E.164, which gateways and partners take. Rule 6.7.10. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min"

const isKnown: (country: string) => country is CountryCode = isSupportedCountry

/** The number in E.164, a national form by the country's rules; undefined for a text that cannot be brought to it. */
export const e164Of = (phone: string, country: string): string | undefined => {
  const found = parsePhoneNumberFromString(phone, isKnown(country) ? country : undefined)
  return found?.isValid() === true ? found.number : undefined
}

/** Texts of the console about the FHIR interface. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "FHIR",
    empty: "Hier stehen die Krankenhaus- und Praxissysteme, die Ihre Termine über FHIR lesen und buchen.",
    on: "eingeschaltet",
    off: "ausgeschaltet",
    switchOff: "Ausschalten",
    switchOn: "Einschalten",
    clients: "Angeschlossene Systeme",
    new: "System anschließen",
    id: "Kennung zum Anmelden (client_id)",
    clientId: "Kennung zum Anmelden (client_id): {id}",
    address: "Adresse der öffentlichen Schlüssel (JWKS)",
    keys: "oder die öffentlichen Schlüssel selbst (JWKS)",
    keysHelp: "Nur öffentliche Schlüssel, für ES384 oder RS384. Einen gemeinsamen geheimen Schlüssel gibt es nicht.",
    scopes: "Darf",
    active: "Aktiv",
    removeQuestion: "„{name}“ entfernen? Das System kann sich dann nicht mehr anmelden.",
    addresses: "Adressen",
    help: "Über diese Schnittstelle buchen Krankenhäuser und Praxissysteme (ISiK Terminplanung). Ausgeschaltet antwortet sie nicht.",
    base: "Basisadresse",
    token: "Adresse für Zugriffstoken"
  },
  en: {
    title: "FHIR",
    empty: "Here are the hospital and practice systems that read and book your appointments by FHIR.",
    on: "switched on",
    off: "switched off",
    switchOff: "Switch off",
    switchOn: "Switch on",
    clients: "Connected systems",
    new: "Connect a system",
    id: "Identifier for signing in (client_id)",
    clientId: "Identifier for signing in (client_id): {id}",
    address: "Address of the public keys (JWKS)",
    keys: "or the public keys themselves (JWKS)",
    keysHelp: "Public keys alone, for ES384 or RS384. There is no shared secret.",
    scopes: "May",
    active: "Active",
    removeQuestion: "Remove “{name}”? The system can then no longer sign in.",
    addresses: "Addresses",
    help: "Hospitals and practice systems book by this interface (ISiK Terminplanung). Switched off, it does not answer.",
    base: "Base address",
    token: "Address for access tokens"
  }
})

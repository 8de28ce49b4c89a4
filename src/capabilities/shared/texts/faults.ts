/** What is wrong with a field, in the language of the page. The interface says it in English, by texts of a known form. */
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import { timeSpan } from "./timeSpan.ts"

/** Patterns of the interface's texts, with their German texts; `{1}` is what the pattern's first group found, `{span}` these minutes in words. */
const german: ReadonlyArray<readonly [pattern: RegExp, text: string]> = [
  [/^is required$/, "Bitte ausfüllen."],
  [
    /^(.{1,42}) is not a placeholder; those of this text are (.*)$/s,
    "{1} ist kein Platzhalter. Möglich sind hier: {2}."
  ],
  [/^must contain (\{\w+\})$/, "{1} muss im Text vorkommen: An dieser Stelle steht der Link."],
  [/^is required\b/, "Hier fehlt eine Angabe."],
  [/^must be text of 1 to (\d+) characters$/, "Bitte ausfüllen, höchstens {1} Zeichen."],
  [/^must be text of (\d+) to (\d+) characters$/, "{1} bis {2} Zeichen, bitte."],
  [/^must be text of at most (\d+) characters/, "Höchstens {1} Zeichen, bitte kürzen."],
  [/^is too long$/, "Der Text ist zu lang, bitte kürzen."],
  [/^must be an integer from 0 to (\d+)$/, "Bitte eine ganze Zahl eingeben, höchstens {1}."],
  [/^must be an integer from (-?\d+) to (\d+)$/, "Bitte eine ganze Zahl von {1} bis {2} eingeben."],
  [/^must be an integer of at least (-?\d+)$/, "Bitte eine ganze Zahl ab {1} eingeben."],
  [/^must be a number\b/, "Bitte eine Zahl eingeben."],
  [/^must be an e-mail address/, "Das ist keine E-Mail-Adresse. Bitte prüfen Sie sie."],
  [/^must be a telephone number/, "Das ist keine Telefonnummer. Bitte mit Vorwahl eingeben, zum Beispiel 030 1234567."],
  [/^must be an IANA time zone/, "Das ist keine Zeitzone; gemeint ist zum Beispiel Europe/Berlin."],
  [/^must be a language tag/, "Das ist kein Sprachkürzel; gemeint ist zum Beispiel de."],
  [/^must be a date/, "Bitte ein Datum eingeben, das es gibt."],
  [/^is no date or time that there is$/, "Bitte ein Datum eingeben, das es gibt."],
  [/^must be a UTC-midnight timestamp/, "Bitte ein Datum eingeben, das es gibt."],
  [/^must be in the future$/, "Das liegt in der Vergangenheit. Bitte einen späteren Zeitpunkt wählen."],
  [
    /^must (?:be after (?:from|start|start_time|start_date|the start|valid_from)|not be before from|be greater than from)\b/,
    "Das Ende muss nach dem Beginn liegen."
  ],
  [/^must be at most (\d+) days after from$/, "Höchstens {1} Tage nach dem Beginn."],
  [/^must be within (\d+) weeks of from$/, "Höchstens {1} Wochen auf einmal."],
  [/^must be true or false$/, "Bitte Ja oder Nein wählen."],
  [/^must be one of\b/, "Bitte eine der Möglichkeiten wählen."],
  [/^must have at least one (?:entry|of)\b/, "Bitte mindestens eines angeben."],
  [/^must have at least (\d+) entries$/, "Bitte mindestens {1} angeben."],
  [/^must have at most ([\d,.]+) (?:entries|fields)$/, "Höchstens {1}, bitte einige entfernen."],
  [/^cannot be sent together with\b/, "Bitte nur eines von beiden angeben."],
  [/^is used already by another entry$/, "Das ist schon vergeben. Bitte etwas anderes wählen."],
  [/^belongs to another shop$/, "Diese Kennung gehört schon zu einem anderen Shop. Bitte eine andere wählen."],
  [/^must not name the same one twice$/, "Bitte nichts doppelt angeben."],
  [/^must be an? (?:https|http or https) address/, "Bitte eine Adresse mit https:// angeben."],
  [/^must be an origin/, "Bitte nur den Anfang der Adresse angeben, zum Beispiel https://beispiel.de."],
  [/^must be a domain/, "Bitte eine Domain angeben, zum Beispiel beispiel.myshopify.com."],
  [/^must be a colour/, "Bitte eine dunkle Farbe wie #0a6b63 angeben, auf der weiße Schrift lesbar ist."],
  [/^must be a PNG or JPEG/, "Bitte ein Bild als PNG oder JPEG wählen, höchstens 64 KiB."],
  [/^must be an ISO 3166-1 country code/, "Bitte das Land mit zwei Buchstaben angeben, zum Beispiel DE."],
  [
    /^was changed after it was signed$/,
    "Die Datei wurde nach dem Unterschreiben verändert. Bitte laden Sie die unveränderte Datei hoch."
  ],
  [/^must be base64|^must be a PDF/, "Bitte eine PDF-Datei wählen."],
  [/^must be at least (\d+) (?:characters|bytes)$/, "Mindestens {1} Zeichen."],
  [/^must be a lower-case name/, "Bitte nur kleine Buchstaben, Ziffern und Unterstriche verwenden."],
  [/^must be moved at least (\d+) minutes before/, "Verschieben geht nur bis {span} vor dem Beginn."],
  [
    /^must be the original doctor|^must be one of the times offered|^is not the start of/,
    "Diese Zeit passt nicht zur Terminart. Bitte eine andere wählen."
  ],
  [/^is not a slot/, "Diese Zeit wird für diese Terminart nicht angeboten. Bitte eine andere wählen."],
  [
    /^is no (?:doctor|appointment type|resource)\b|^is not a known\b|has been deleted$/,
    "Das gibt es nicht (mehr). Bitte neu auswählen."
  ],
  [/^the room opens (\d+) minutes before/, "Das Gespräch kann erst {span} vor dem Beginn eröffnet werden."],
  [/^the room closed/, "Das Gespräch kann nicht mehr eröffnet werden: Der Termin ist zu lange her."],
  [/^the appointment takes place in person$/, "Der Termin findet in der Praxis statt, nicht per Video."],
  [/^more than (\d+) /, "Das sind mehr als {1}. Bitte einen kürzeren Zeitraum wählen."],
  [/^and more$/, "Es gibt noch weitere Fehler."]
]

/** A message of the interface in the language of the page; for a text without a translation a request to check the value. */
export const faultIn = (language: Language, message: string): string => {
  if (language !== "de") return message
  for (const [pattern, text] of german) {
    const found = pattern.exec(message)
    if (found !== null)
      return fill(text, {
        ...Object.fromEntries(found.map((group, at) => [String(at), group ?? ""])),
        span: timeSpan(language, Number(found[1] ?? 0) || 0)
      })
  }
  return "Bitte prüfen Sie diese Angabe."
}

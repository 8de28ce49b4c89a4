/** Texts of staff's pages about public booking. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    own: "Eigene Buchungsseite",
    help: "Sie geht nur mit Impressum und Datenschutzhinweisen online.",
    title: "Buchungsseiten",
    empty: { text: "Buchungsseiten gehören zu einem Shop. Noch ist keiner angelegt.", action: "Shop anlegen" },
    snippet: "Link für eine Webseite",
    off: "Die Buchungsseiten sind ausgeschaltet (siehe Erscheinungsbild)."
  },
  en: {
    own: "Booking pages of one's own",
    help: "It goes live with an imprint and a privacy notice alone.",
    title: "Booking pages",
    empty: { text: "Booking pages belong to a shop. There is none yet.", action: "Add a shop" },
    snippet: "Link for a website",
    off: "The booking pages are switched off (see Branding)."
  }
})

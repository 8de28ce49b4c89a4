/** Texts of a demo's first page. */
import { deskTexts } from "../../shared/texts/own.ts"

export const tourTexts = deskTexts({
  de: {
    title: "Sprechstunde in sechs Schritten",
    text: "Dies ist eine Demo mit erfundenen Daten: eine Praxis mit sechs Ärztinnen und Ärzten, ihre Patientinnen und Patienten und zwei Apotheken. Sie können alles ausprobieren.",
    doors: "Drei Wege hinein",
    sameByInterface: "Dasselbe über die Schnittstelle",
    steps: {
      patient: {
        title: "Als Patientin oder Patient",
        text: "Buchen Sie einen Termin in zwei Schritten. Danach können Sie ihn verschieben, absagen oder das Gerät testen.",
        open: "Termin buchen",
        more: "Termin ansehen, der gerade beginnt"
      },
      doctor: {
        title: "Als Ärztin",
        text: "Dr. Berger hat jemanden im Wartezimmer. Öffnen Sie den Termin oben in einem zweiten Browser, dann sprechen Sie mit sich selbst.",
        open: "Den Tag von Dr. Berger öffnen"
      },
      practice: {
        title: "Am Empfang",
        text: "Die Woche aller Ärztinnen und Ärzte: buchen, verschieben, Warteliste und Statistik.",
        open: "Die Praxis öffnen"
      },
      pharmacy: {
        title: "In der Apotheke",
        text: "Bestellungen annehmen, packen und versenden, Bestand und Auszahlungen.",
        open: "Die Apotheke öffnen"
      },
      operator: {
        title: "Im Systembetrieb",
        text: "Was hängt, was fehlschlägt, wer worauf zugegriffen hat: die Ansicht für den Systembetrieb.",
        open: "Den Systembetrieb öffnen"
      },
      partner: {
        title: "Als Partner",
        text: "Alles hier geht auch über die REST-Schnittstelle. Die Dokumentation sendet Anfragen an diese Demo.",
        open: "Dokumentation öffnen"
      }
    }
  },
  en: {
    title: "Sprechstunde in six steps",
    text: "This is a demo with made-up data: a practice with six doctors, their patients and two pharmacies. You can try everything.",
    doors: "Three ways in",
    sameByInterface: "The same by the interface",
    steps: {
      patient: {
        title: "As a patient",
        text: "Book an appointment in two steps. Then move it, cancel it or test your device.",
        open: "Book an appointment",
        more: "See an appointment that begins now"
      },
      doctor: {
        title: "As a doctor",
        text: "Somebody waits for Dr. Berger. Open the appointment above in a second browser, and you talk to yourself.",
        open: "Open the day of Dr. Berger"
      },
      practice: {
        title: "At the reception desk",
        text: "The week of all doctors: booking, moving, the waiting list and statistics.",
        open: "Open the practice"
      },
      pharmacy: {
        title: "In the pharmacy",
        text: "Accept orders, pack and send them; stock and payouts.",
        open: "Open the pharmacy"
      },
      operator: {
        title: "As the operator",
        text: "What is stuck, what fails, who may do what: the view of those who run the service.",
        open: "Open the operator's view"
      },
      partner: {
        title: "As a partner",
        text: "Everything here works through the REST interface. The documentation sends requests to this demo.",
        open: "Open the documentation"
      }
    }
  }
})

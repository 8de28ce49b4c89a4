export const de = {
  closed: "Diese Praxis bietet hier keine Online-Buchung an. Bitte rufen Sie in der Praxis an.",
  mail: {
    greeting: "Guten Tag,",
    subject: "{code} ist Ihr Code für {organisation}",
    opening: "mit diesem Code bestätigen Sie Ihre E-Mail-Adresse. Danach geht es weiter.",
    label: "Code",
    hint: "Er gilt 15 Minuten. Haben Sie ihn nicht angefordert, können Sie diese E-Mail ignorieren."
  },
  title: "Termin buchen",
  nothing: "Zurzeit wird hier kein Termin angeboten. Bitte wenden Sie sich an die Praxis.",
  what: "Welche Art von Termin?",
  how: "Per Video oder in der Praxis?",
  who: "Ihre Angaben",
  relative: "Es geht um mein Kind oder eine andere Person",
  relativeHelp: "Tragen Sie hier ein, um wen es geht. Nachrichten gehen an Ihre Adresse.",
  codeNext: "Wir schicken Ihnen einen Code per E‑Mail. Danach geht es weiter.",
  showTimes: "Freie Termine zeigen",
  next: "Weiter",
  codeTitle: "Code aus der E‑Mail eingeben",
  codeText:
    "Wir haben Ihnen einen Code mit sechs Ziffern geschickt. Er gilt 15 Minuten. Bitte sehen Sie auch im Spam-Ordner nach.",
  code: "Code",
  resend: "Neuen Code senden",
  startAgain: "Angaben ändern",
  problems: {
    codeSent: "Wir haben Ihnen einen neuen Code geschickt.",
    tooMany:
      "Es wurden gerade sehr viele Codes angefordert. Bitte versuchen Sie es in einer Stunde noch einmal oder rufen Sie die Praxis an.",
    typeGone: "Diese Terminart wird nicht mehr angeboten. Bitte wählen Sie eine andere.",
    noMail: "An diese Adresse ließ sich keine E-Mail schicken. Bitte prüfen Sie sie.",
    wrongCode: "Der Code stimmt nicht. Bitte sehen Sie noch einmal nach.",
    codeGone: "Dieser Code gilt nicht mehr. Bitte fordern Sie einen neuen Code an."
  },
  faults: {
    meeting_format: "Bitte wählen Sie aus, wie der Termin stattfinden soll.",
    type: "Bitte wählen Sie eine Terminart."
  }
}
export type OwnTexts = typeof de

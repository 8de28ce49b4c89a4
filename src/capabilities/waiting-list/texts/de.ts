export const de = {
  title: "Ein Termin ist frei geworden",
  facts: {
    when: "Wann",
    what: "Termin",
    doctor: "Bei",
    until: "Für Sie freigehalten bis",
    first: "Nicht freigehalten: Wer zuerst zusagt, bekommt den Termin. Antwort bis",
    replaces: "Anstelle Ihres Termins am"
  },
  accept: "Termin annehmen",
  decline: "Nein, danke",
  leave: "Von der Warteliste streichen",
  goOn: "Weiter über freie Termine informieren",
  accepted: { title: "Ihr Termin ist gebucht" },
  keeps: "Sie behalten Ihren Platz auf der Warteliste. Wird ein anderer Termin frei, melden wir uns.",
  declined: { title: "Danke für Ihre Antwort" },
  lapsed: {
    title: "Dieses Angebot ist abgelaufen",
    text: "Solange der Termin frei ist, können Sie ihn noch annehmen."
  },
  lost: {
    title: "Dieser Termin ist vergeben",
    text: "Jemand war etwas schneller."
  },
  left: {
    title: "Sie stehen nicht mehr auf der Warteliste",
    text: "Ihre Termine bleiben bestehen."
  },
  paused: "Sie haben auf drei Angebote nicht geantwortet. Deshalb schicken wir Ihnen vorerst keine Angebote mehr.",
  ask: {
    link: "Nichts Passendes dabei? Auf die Warteliste",
    short: "Auf die Warteliste",
    title: "Auf die Warteliste",
    text: "Wird ein passender Termin frei, bieten wir ihn Ihnen an. Sie können ihn dann annehmen oder ablehnen.",
    weekdays: "An welchen Tagen?",
    open: "Ohne Auswahl passt alles.",
    until: "Bis wann?",
    days: {
      14: "in den nächsten 2 Wochen",
      30: "in den nächsten 4 Wochen",
      90: "in den nächsten 3 Monaten",
      180: "in den nächsten 6 Monaten"
    },
    submit: "Auf die Warteliste setzen",
    change: "Wünsche ändern",
    save: "Wünsche speichern",
    back: "Zu den freien Terminen"
  },
  sooner: {
    title: "Lieber früher?",
    text: "Wird vorher ein Termin frei, bieten wir ihn Ihnen an. Ihr jetziger Termin bleibt bestehen, bis Sie einen früheren annehmen.",
    submit: "Auf einen früheren Termin warten",
    waiting: "Sie warten auf einen früheren Termin. Wird einer frei, melden wir uns.",
    leave: "Nicht mehr auf einen früheren warten"
  },
  entry: {
    title: "Ihre Warteliste",
    saved: "Sie stehen auf der Warteliste. Wird ein passender Termin frei, melden wir uns.",
    changed: "Ihre Wünsche sind gespeichert. Ihren Platz auf der Warteliste behalten Sie.",
    refused: "Das ist leider nicht möglich. Unten sehen Sie den aktuellen Stand.",
    tooMany: "Sie stehen schon mehrmals auf der Warteliste. Bitte streichen Sie zuerst einen Eintrag.",
    waiting: "Sie warten auf einen Termin.",
    offered: "Wir haben Ihnen einen Termin angeboten. Bitte sehen Sie in Ihr Postfach.",
    paused: "Pausiert: Zurzeit bekommen Sie keine Angebote.",
    booked: "Sie haben einen Termin angenommen.",
    ended: "Dieser Eintrag ist beendet.",
    pause: "Pausieren",
    days: "Tage",
    times: "Tageszeit",
    until: "Bis",
    any: "alle",
    sooner: "Früher als"
  },
  entered: {
    greeting: "Guten Tag,",
    subject: "Sie stehen auf der Warteliste: {organisation}",
    opening: "Sie stehen jetzt auf unserer Warteliste. Wird ein passender Termin frei, bieten wir ihn Ihnen an.",
    label: "Ansehen, pausieren oder streichen",
    hint: "Wollten Sie das nicht, können Sie sich über diesen Link wieder streichen."
  }
}
export type OwnTexts = typeof de

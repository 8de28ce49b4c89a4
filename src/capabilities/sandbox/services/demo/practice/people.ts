/** The people of the demo practice. Mail addresses are of example.org, telephone numbers of the range that Germany keeps for films. */

/** Minutes of the types that fill the calendar, and whether they are at the practice. */
export const kinds = {
  video: { minutes: 20, inPerson: false },
  erst: { minutes: 30, inPerson: true },
  nach: { minutes: 10, inPerson: false },
  haut: { minutes: 30, inPerson: true },
  therapie: { minutes: 50, inPerson: false }
} as const
export type Kind = keyof typeof kinds

/** A doctor, with their hours: weekdays (0 is Monday) and minutes from midnight in their zone. */
export interface DemoDoctor {
  readonly uid: string
  readonly display_name: string
  readonly profession: string
  readonly specialty: string
  readonly specialty_code: string
  readonly languages: ReadonlyArray<string>
  readonly timezone: string
  readonly hours: ReadonlyArray<readonly [weekdays: ReadonlyArray<number>, from: number, to: number]>
  /** What fills their calendar. */
  readonly kinds: ReadonlyArray<Kind>
}

const HAMBURG = "Europe/Berlin"
const LAS_PALMAS = "Atlantic/Canary"
const all = [0, 1, 2, 3, 4, 5, 6]

export const doctors: ReadonlyArray<DemoDoctor> = [
  {
    uid: "doc_berger",
    display_name: "Dr. med. Anna Berger",
    profession: "Fachärztin für Allgemeinmedizin",
    specialty: "Allgemeinmedizin",
    specialty_code: "ALLG",
    languages: ["de", "en"],
    timezone: HAMBURG,
    hours: [
      [[0, 1, 2, 3, 4], 480, 660],
      [[5, 6], 540, 600]
    ],
    kinds: ["video", "video", "erst", "nach"]
  },
  {
    uid: "doc_yilmaz",
    display_name: "Dr. med. Deniz Yılmaz",
    profession: "Facharzt für Haut- und Geschlechtskrankheiten",
    specialty: "Dermatologie",
    specialty_code: "HAUT",
    languages: ["de", "tr", "en"],
    timezone: HAMBURG,
    hours: [
      [[0, 1, 3], 540, 690],
      [[2], 840, 960]
    ],
    kinds: ["haut", "video", "nach"]
  },
  {
    uid: "doc_petrenko",
    display_name: "Dr. med. Oksana Petrenko",
    profession: "Fachärztin für Psychiatrie und Psychotherapie",
    specialty: "Psychotherapie",
    specialty_code: "PSYC",
    languages: ["de", "uk", "ru"],
    timezone: HAMBURG,
    hours: [[[0, 1, 2], 600, 840]],
    kinds: ["therapie", "therapie", "erst"]
  },
  {
    uid: "doc_haddad",
    display_name: "Dr. med. Samir Haddad",
    profession: "Facharzt für Innere Medizin",
    specialty: "Innere Medizin",
    specialty_code: "INNE",
    languages: ["de", "ar", "fr"],
    timezone: LAS_PALMAS,
    hours: [[all, 540, 630]],
    kinds: ["video", "nach", "erst"]
  },
  {
    uid: "doc_lindqvist",
    display_name: "Dr. med. Elin Lindqvist",
    profession: "Fachärztin für Kinder- und Jugendmedizin",
    specialty: "Kinder- und Jugendmedizin",
    specialty_code: "KIJU",
    languages: ["de", "en", "sv"],
    timezone: LAS_PALMAS,
    hours: [[[0, 2, 4], 480, 600]],
    kinds: ["video", "erst", "nach"]
  },
  {
    uid: "doc_weiss",
    display_name: "Dr. med. Jakob Weiß",
    profession: "Facharzt für Orthopädie und Unfallchirurgie",
    specialty: "Orthopädie",
    specialty_code: "ORTH",
    languages: ["de", "en"],
    timezone: HAMBURG,
    hours: [
      [[1, 2, 4], 840, 960],
      [[3], 840, 960]
    ],
    kinds: ["erst", "video", "nach"]
  }
]

/** First name, last name, date of birth, gender, language. */
const named: ReadonlyArray<readonly [string, string, string, "male" | "female" | "divers", string]> = [
  ["Lena", "Hoffmann", "1988-03-14", "female", "de"],
  ["Jürgen", "Müller", "1951-11-02", "male", "de"],
  ["Zeynep", "Aydın", "1994-07-21", "female", "tr"],
  ["Mehmet", "Yılmaz", "1979-01-30", "male", "tr"],
  ["محمد", "عبد الرحمن", "1985-05-09", "male", "ar"],
  ["ليلى", "الحسن", "1997-12-18", "female", "ar"],
  ["Олена", "Коваленко", "1983-02-25", "female", "uk"],
  ["Андрій", "Шевчук", "1990-09-03", "male", "uk"],
  ["Ирина", "Соколова", "1966-06-11", "female", "ru"],
  ["Дмитрий", "Орлов", "1972-10-28", "male", "ru"],
  ["Sofía", "García Núñez", "1999-04-17", "female", "en"],
  ["João", "Araújo", "1981-08-08", "male", "en"],
  ["Agnieszka", "Wiśniewska", "1975-03-05", "female", "de"],
  ["Krzysztof", "Łukasik", "1960-12-30", "male", "de"],
  ["Nguyễn", "Thị Hạnh", "1992-02-14", "female", "de"],
  ["Minh", "Trần", "1986-11-19", "male", "en"],
  ["美咲", "佐藤", "2001-01-07", "female", "en"],
  ["伟", "王", "1977-09-23", "male", "en"],
  ["Ελένη", "Παπαδοπούλου", "1969-05-31", "female", "de"],
  ["Νίκος", "Γεωργίου", "1958-07-04", "male", "de"],
  ["Søren", "Østergård", "1964-08-16", "male", "en"],
  ["Åsa", "Lindström", "1991-06-27", "female", "en"],
  ["Zoë", "van den Berg", "2003-10-12", "divers", "en"],
  ["Chiara", "D’Angelo", "1995-01-25", "female", "de"],
  ["Ana", "Kovačević", "1987-04-02", "female", "de"],
  ["Goran", "Đurić", "1970-02-09", "male", "de"],
  ["Ikechukwu", "Eze", "1993-03-28", "male", "en"],
  ["Amara", "Diallo", "1989-12-06", "female", "en"],
  ["दीपिका", "शर्मा", "1984-10-15", "female", "en"],
  ["Rahul", "Iyer", "1998-07-13", "male", "en"],
  ["נועה", "לוי", "1996-09-01", "female", "en"],
  ["Tamar", "Beridze", "1982-11-11", "female", "de"],
  ["Petra", "Schröder-Lüdenscheidt", "1955-05-20", "female", "de"],
  ["Karl-Heinz", "Groß", "1947-04-29", "male", "de"],
  ["Emil", "Vogt", "2019-06-03", "male", "de"],
  ["Mila", "Vogt", "2021-08-22", "female", "de"],
  ["Ben", "Aydın", "2016-02-17", "male", "tr"],
  ["Greta", "Lorenz", "2013-12-24", "female", "de"],
  ["Finn", "Paulsen", "2009-03-09", "male", "de"],
  ["Hatice", "Demir", "1949-01-15", "female", "tr"],
  ["Ole", "Petersen", "1976-06-06", "male", "de"],
  ["Wiebke", "Janßen", "1968-09-18", "female", "de"],
  ["Thomas", "Becker", "1963-02-03", "male", "de"],
  ["Thomas", "Becker", "1991-08-30", "male", "de"],
  ["Maria", "Schulz", "1944-10-05", "female", "de"],
  ["Nils", "Krämer", "1996-05-14", "male", "de"],
  ["Jana", "Dvořáková", "1980-12-12", "female", "de"],
  ["Péter", "Kovács", "1973-07-26", "male", "de"],
  ["Ioana", "Ștefănescu", "1994-11-08", "female", "de"],
  ["Aino", "Mäkinen", "1988-01-19", "female", "en"],
  ["Siobhán", "O’Connor", "1985-09-29", "female", "en"],
  ["Rasa", "Žukauskienė", "1967-03-22", "female", "ru"],
  ["Fatima", "el-Amrani", "1978-06-30", "female", "ar"],
  ["يوسف", "منصور", "2000-04-11", "male", "ar"],
  ["Li", "Na", "1999-02-02", "female", "en"],
  ["Sara", "Tesfaye", "1990-10-20", "female", "en"],
  ["Birgit", "Neumann", "1957-12-01", "female", "de"],
  ["Robin", "Keller", "2002-07-07", "divers", "de"],
  ["Oleksandr", "Melnyk", "1974-05-16", "male", "uk"],
  ["Ulrike", "Freifrau von Thalheim", "1961-11-27", "female", "de"]
]

export const patients = named.map(([first_name, last_name, date_of_birth, gender, language], i) => ({
  uid: `pat_garten_${i + 1}`,
  first_name,
  last_name,
  date_of_birth,
  gender,
  language,
  // One has mistyped it, so that the console shows a message that failed
  email: `patient${i + 1}@example.${i + 1 === 55 ? "invalid" : "org"}`,
  phone: `+49 171 39200${String(i + 1).padStart(2, "0")}`
}))

/** Frequent specialties, which doctors' records have in German, in the languages of the pages. */
import type { Language } from "./language.ts"

type Names = readonly [en: string, tr: string, ar: string, uk: string, ru: string]

const table = {
  Allgemeinmedizin: ["General practice", "Aile hekimliği", "طب عام", "Загальна медицина", "Общая медицина"],
  Innere: ["Internal medicine", "İç hastalıkları", "طب باطني", "Внутрішня медицина", "Внутренние болезни"],
  "Innere Medizin": ["Internal medicine", "İç hastalıkları", "طب باطني", "Внутрішня медицина", "Внутренние болезни"],
  "Kinder- und Jugendmedizin": ["Paediatrics", "Çocuk hastalıkları", "طب الأطفال", "Педіатрія", "Педиатрия"],
  Frauenheilkunde: ["Gynaecology", "Kadın hastalıkları", "أمراض النساء", "Гінекологія", "Гинекология"],
  "Frauenheilkunde und Geburtshilfe": [
    "Gynaecology and obstetrics",
    "Kadın hastalıkları ve doğum",
    "أمراض النساء والتوليد",
    "Гінекологія та акушерство",
    "Гинекология и акушерство"
  ],
  Dermatologie: ["Dermatology", "Dermatoloji", "أمراض جلدية", "Дерматологія", "Дерматология"],
  "Haut- und Geschlechtskrankheiten": ["Dermatology", "Dermatoloji", "أمراض جلدية", "Дерматологія", "Дерматология"],
  Orthopädie: ["Orthopaedics", "Ortopedi", "جراحة العظام", "Ортопедія", "Ортопедия"],
  Chirurgie: ["Surgery", "Genel cerrahi", "جراحة", "Хірургія", "Хирургия"],
  Augenheilkunde: ["Ophthalmology", "Göz hastalıkları", "طب العيون", "Офтальмологія", "Офтальмология"],
  "Hals-Nasen-Ohrenheilkunde": ["ENT", "Kulak burun boğaz", "أنف وأذن وحنجرة", "Отоларингологія", "Отоларингология"],
  Kardiologie: ["Cardiology", "Kardiyoloji", "أمراض القلب", "Кардіологія", "Кардиология"],
  Neurologie: ["Neurology", "Nöroloji", "طب الأعصاب", "Неврологія", "Неврология"],
  Urologie: ["Urology", "Üroloji", "مسالك بولية", "Урологія", "Урология"],
  Psychotherapie: ["Psychotherapy", "Psikoterapi", "علاج نفسي", "Психотерапія", "Психотерапия"],
  "Psychiatrie und Psychotherapie": [
    "Psychiatry and psychotherapy",
    "Psikiyatri ve psikoterapi",
    "طب نفسي وعلاج نفسي",
    "Психіатрія та психотерапія",
    "Психиатрия и психотерапия"
  ]
} satisfies { readonly [specialty: string]: Names }
const names = new Map<string, Names>(Object.entries(table))

const places: Readonly<Partial<Record<Language, number>>> = { en: 0, "en-US": 0, tr: 1, ar: 2, uk: 3, ru: 4 }

/** A doctor's specialty in the page's language; one without a translation as it is stored. */
export const specialtyIn = (language: Language, stored: string) =>
  names.get(stored.trim())?.[places[language] ?? -1] ?? stored

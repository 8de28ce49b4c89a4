/** Who may do what with which resource: the permission of an API key, and the SMART scopes that stand for it. Rule 20.2. */
import type { Permission } from "../../../schemas/access/permissions.ts"

export const resourceTypes = [
  "Schedule",
  "Slot",
  "HealthcareService",
  "Practitioner",
  "Patient",
  "Appointment",
  "Questionnaire",
  "QuestionnaireResponse"
] as const
export type ResourceType = (typeof resourceTypes)[number]
/** Types of records that another capability has: offered where that is on. */
export const addedTypes: ReadonlySet<ResourceType> = new Set(["Questionnaire", "QuestionnaireResponse"])
export const isResourceType = (text: string): text is ResourceType => resourceTypes.some((type) => type === text)

/** Letters of SMART scopes: create, read, update, search. Nothing is deleted. */
export type Letter = "c" | "r" | "u" | "s"
const LETTERS: ReadonlyArray<Letter> = ["c", "r", "u", "s"]

/** The permission for each letter; a letter that is missing is not offered for the type. */
export const rights: Readonly<Record<ResourceType, Partial<Readonly<Record<Letter, Permission>>>>> = {
  Schedule: { r: "scheduling:read", s: "scheduling:read" },
  Slot: { r: "scheduling:read", s: "scheduling:read" },
  HealthcareService: { r: "scheduling:read", s: "scheduling:read" },
  Practitioner: { r: "scheduling:read", s: "scheduling:read" },
  Patient: { c: "patients:write", r: "patients:read", s: "patients:read" },
  Questionnaire: { r: "intake:read", s: "intake:read" },
  QuestionnaireResponse: { r: "intake:read", s: "intake:read" },
  Appointment: { c: "scheduling:write", r: "scheduling:read", u: "scheduling:write", s: "scheduling:read" }
}

/** Rights as `Type.letter`. */
export type Rights = ReadonlySet<string>

export const rightsOfPermissions = (permissions: ReadonlyArray<Permission>): Rights =>
  new Set(
    resourceTypes.flatMap((type) =>
      LETTERS.flatMap((letter) => {
        const needed = rights[type][letter]
        return needed !== undefined && permissions.includes(needed) ? [`${type}.${letter}`] : []
      })
    )
  )

/** `system/Type.letters` of SMART 2, in the order of its letters, and the words of SMART 1; any type is `*`. */
const SCOPE = /^system\/([A-Z][A-Za-z]*|\*)\.(read|write|\*|(?=.)c?r?u?d?s?)$/

const lettersIn = (text: string): ReadonlyArray<string> =>
  text === "*" ? LETTERS : text === "read" ? ["r", "s"] : text === "write" ? ["c", "u"] : [...text]

export const isScope = (text: string) => SCOPE.test(text)

/** The rights that scopes stand for, as far as they are offered; anything else in the list grants nothing. */
export const rightsOfScopes = (scopes: ReadonlyArray<string>): Rights =>
  new Set(
    scopes.flatMap((scope) => {
      const [, of = "", letters = ""] = SCOPE.exec(scope) ?? []
      const types = resourceTypes.filter((type) => of === "*" || of === type)
      return types.flatMap((type) =>
        LETTERS.filter((letter) => lettersIn(letters).includes(letter) && rights[type][letter] !== undefined).map(
          (letter) => `${type}.${letter}`
        )
      )
    })
  )

/** The same as scopes of SMART 2, one for each type. */
export const scopesOf = (granted: Rights): ReadonlyArray<string> =>
  resourceTypes.flatMap((type) => {
    const letters = LETTERS.filter((letter) => granted.has(`${type}.${letter}`)).join("")
    return letters === "" ? [] : [`system/${type}.${letters}`]
  })

/** Every scope that can be granted. */
export const offeredScopes = scopesOf(rightsOfScopes(["system/*.*"]))

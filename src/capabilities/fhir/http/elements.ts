/**
 * The elements of the FHIR R4 types that are sent or read, in FHIR's order: `name:Type`, with `*` where there may be several. The
 * serialiser, the reader and the check of received resources use this table and no other.
 */
import { byWord } from "../../../schemas/byWord.ts"

/** Primitive types, and what JSON has for them. */
export const primitives = byWord<"string" | "number" | "boolean">({
  id: "string",
  string: "string",
  code: "string",
  uri: "string",
  url: "string",
  canonical: "string",
  markdown: "string",
  date: "string",
  dateTime: "string",
  instant: "string",
  boolean: "boolean",
  integer: "number",
  positiveInt: "number",
  unsignedInt: "number",
  decimal: "number"
})

export interface Element {
  readonly name: string
  readonly type: string
  readonly many: boolean
}

const parse = (text: string): ReadonlyArray<Element> =>
  text
    .trim()
    .split(/\s+/)
    .map((one) => {
      const [name = "", type = ""] = one.replace("*", "").split(":")
      return { name, type, many: one.endsWith("*") }
    })

const RESOURCE = "id:id meta:Meta implicitRules:uri language:code"
const DOMAIN = `${RESOURCE} text:Narrative contained:Resource* extension:Extension* modifierExtension:Extension*`
const DATA = "extension:Extension*"
const BACKBONE = "extension:Extension* modifierExtension:Extension*"

const VALUES = `valueBase64Binary:string valueBoolean:boolean valueCanonical:canonical valueCode:code valueDate:date
  valueDateTime:dateTime valueDecimal:decimal valueId:id valueInstant:instant valueInteger:integer valueMarkdown:markdown
  valuePositiveInt:positiveInt valueString:string valueUnsignedInt:unsignedInt valueUri:uri valueUrl:url valueAddress:Address
  valueCodeableConcept:CodeableConcept valueCoding:Coding valueContactPoint:ContactPoint valueHumanName:HumanName
  valueIdentifier:Identifier valuePeriod:Period valueReference:Reference`
const PERSON = "name:HumanName* telecom:ContactPoint* gender:code birthDate:date"

/** Types that are resources. */
export const resources = byWord<ReadonlyArray<Element>>({
  Appointment: parse(`${DOMAIN} identifier:Identifier* status:code cancelationReason:CodeableConcept
    serviceCategory:CodeableConcept* serviceType:CodeableConcept* specialty:CodeableConcept* appointmentType:CodeableConcept
    reasonCode:CodeableConcept* reasonReference:Reference* priority:unsignedInt description:string
    supportingInformation:Reference* start:instant end:instant minutesDuration:positiveInt slot:Reference* created:dateTime
    comment:string patientInstruction:string basedOn:Reference* participant:AppointmentParticipant* requestedPeriod:Period*`),
  Bundle: parse(`${RESOURCE} identifier:Identifier type:code timestamp:instant total:unsignedInt link:BundleLink*
    entry:BundleEntry*`),
  CapabilityStatement: parse(`${DOMAIN} url:uri version:string name:string title:string status:code experimental:boolean
    date:dateTime publisher:string description:markdown kind:code instantiates:canonical* imports:canonical* software:CapabilitySoftware
    implementation:CapabilityImplementation fhirVersion:code format:code* patchFormat:code* implementationGuide:canonical*
    rest:CapabilityRest*`),
  HealthcareService:
    parse(`${DOMAIN} identifier:Identifier* active:boolean providedBy:Reference category:CodeableConcept*
    type:CodeableConcept* specialty:CodeableConcept* location:Reference* name:string comment:string`),
  OperationOutcome: parse(`${DOMAIN} issue:OutcomeIssue*`),
  Parameters: parse(`${RESOURCE} parameter:ParametersParameter*`),
  Patient:
    parse(`${DOMAIN} identifier:Identifier* active:boolean ${PERSON} deceasedBoolean:boolean deceasedDateTime:dateTime
    address:Address* maritalStatus:CodeableConcept multipleBirthBoolean:boolean multipleBirthInteger:integer
    photo:Attachment* contact:PatientContact* communication:PatientCommunication* generalPractitioner:Reference*
    managingOrganization:Reference link:PatientLink*`),
  Practitioner:
    parse(`${DOMAIN} identifier:Identifier* active:boolean name:HumanName* telecom:ContactPoint* address:Address*
    gender:code birthDate:date qualification:PractitionerQualification* communication:CodeableConcept*`),
  Questionnaire: parse(`${DOMAIN} url:uri identifier:Identifier* version:string name:string title:string
    derivedFrom:canonical* status:code experimental:boolean subjectType:code* date:dateTime publisher:string
    description:markdown item:QuestionnaireItem*`),
  QuestionnaireResponse:
    parse(`${DOMAIN} identifier:Identifier basedOn:Reference* partOf:Reference* questionnaire:canonical
    status:code subject:Reference encounter:Reference authored:dateTime author:Reference source:Reference item:ResponseItem*`),
  RelatedPerson: parse(`${DOMAIN} identifier:Identifier* active:boolean patient:Reference relationship:CodeableConcept*
    ${PERSON} address:Address* photo:Attachment* period:Period communication:PatientCommunication*`),
  Schedule: parse(`${DOMAIN} identifier:Identifier* active:boolean serviceCategory:CodeableConcept*
    serviceType:CodeableConcept* specialty:CodeableConcept* actor:Reference* planningHorizon:Period comment:string`),
  Slot: parse(`${DOMAIN} identifier:Identifier* serviceCategory:CodeableConcept* serviceType:CodeableConcept*
    specialty:CodeableConcept* appointmentType:CodeableConcept schedule:Reference status:code start:instant end:instant
    overbooked:boolean comment:string`)
})

/** All other types. */
export const complexTypes = byWord<ReadonlyArray<Element>>({
  Address: parse(`${DATA} use:code type:code text:string line:string* city:string district:string state:string
    postalCode:string country:string period:Period`),
  AppointmentParticipant: parse(
    `${BACKBONE} type:CodeableConcept* actor:Reference required:code status:code period:Period`
  ),
  Attachment:
    parse(`${DATA} contentType:code language:code data:string url:url size:unsignedInt hash:string title:string
    creation:dateTime`),
  BundleEntry: parse(`${BACKBONE} link:BundleLink* fullUrl:uri resource:Resource search:BundleEntrySearch`),
  BundleEntrySearch: parse(`${BACKBONE} mode:code score:decimal`),
  BundleLink: parse(`${BACKBONE} relation:string url:uri`),
  CapabilityImplementation: parse(`${BACKBONE} description:string url:url`),
  CapabilityInteraction: parse(`${BACKBONE} code:code documentation:markdown`),
  CapabilityOperation: parse(`${BACKBONE} name:string definition:canonical documentation:markdown`),
  CapabilityResource: parse(`${BACKBONE} type:code profile:canonical supportedProfile:canonical* documentation:markdown
    interaction:CapabilityInteraction* versioning:code readHistory:boolean updateCreate:boolean searchInclude:string*
    searchParam:CapabilitySearchParam* operation:CapabilityOperation*`),
  CapabilityRest: parse(
    `${BACKBONE} mode:code documentation:markdown security:CapabilitySecurity resource:CapabilityResource*`
  ),
  CapabilitySearchParam: parse(`${BACKBONE} name:string definition:canonical type:code documentation:markdown`),
  CapabilitySecurity: parse(`${BACKBONE} cors:boolean service:CodeableConcept* description:markdown`),
  CapabilitySoftware: parse(`${BACKBONE} name:string version:string`),
  CodeableConcept: parse(`${DATA} coding:Coding* text:string`),
  Coding: parse(`${DATA} system:uri version:string code:code display:string userSelected:boolean`),
  ContactPoint: parse(`${DATA} system:code value:string use:code rank:positiveInt period:Period`),
  Extension: parse(`${DATA} ${VALUES}`),
  HumanName: parse(
    `${DATA} use:code text:string family:string given:string* prefix:string* suffix:string* period:Period`
  ),
  Identifier: parse(`${DATA} use:code type:CodeableConcept system:uri value:string period:Period assigner:Reference`),
  Meta: parse(`${DATA} versionId:id lastUpdated:instant source:uri profile:canonical* security:Coding* tag:Coding*`),
  OutcomeIssue: parse(`${BACKBONE} severity:code code:code details:CodeableConcept diagnostics:string location:string*
    expression:string*`),
  ParametersParameter: parse(`${BACKBONE} name:string ${VALUES} resource:Resource part:ParametersParameter*`),
  PatientCommunication: parse(`${BACKBONE} language:CodeableConcept preferred:boolean`),
  PatientContact: parse(`${BACKBONE} relationship:CodeableConcept* name:HumanName telecom:ContactPoint* address:Address
    gender:code organization:Reference period:Period`),
  PatientLink: parse(`${BACKBONE} other:Reference type:code`),
  Period: parse(`${DATA} start:dateTime end:dateTime`),
  QuestionnaireAnswerOption: parse(`${BACKBONE} valueCoding:Coding initialSelected:boolean`),
  QuestionnaireEnableWhen: parse(`${BACKBONE} question:string operator:code answerBoolean:boolean answerDecimal:decimal
    answerInteger:integer answerDate:date answerString:string answerCoding:Coding`),
  QuestionnaireItem: parse(`${BACKBONE} linkId:string definition:uri code:Coding* prefix:string text:string type:code
    enableWhen:QuestionnaireEnableWhen* enableBehavior:code required:boolean repeats:boolean readOnly:boolean
    maxLength:integer answerOption:QuestionnaireAnswerOption* item:QuestionnaireItem*`),
  ResponseAnswer: parse(`${BACKBONE} valueBoolean:boolean valueDecimal:decimal valueInteger:integer valueDate:date
    valueString:string valueAttachment:Attachment valueCoding:Coding item:ResponseItem*`),
  ResponseItem: parse(`${BACKBONE} linkId:string definition:uri text:string answer:ResponseAnswer* item:ResponseItem*`),
  PractitionerQualification: parse(
    `${BACKBONE} identifier:Identifier* code:CodeableConcept period:Period issuer:Reference`
  ),
  Reference: parse(`${DATA} reference:string type:uri identifier:Identifier display:string`)
})

/** Attributes in XML, of every element that is not a resource. */
export const attributesOf = (type: string): ReadonlyArray<string> => (type === "Extension" ? ["id", "url"] : ["id"])

/** Words of capabilities in the core, which has none: not in SQL, a type or a text. */
import type { SourceFile } from "./imports.ts"

/** By the capability's folder. One that is not listed is not separated from the core yet. */
const WORDS: Readonly<Record<string, RegExp>> = {
  recalls: /recall/i,
  // "absence" alone: that of a value, and the reason of a bulk move
  absences: /times_offered|\babsences\b|Absence[A-Z]|absence[_.-][a-z]/,
  sandbox: /sandbox/i,
  // The days on which a type is closed, and the region that says which, are of the core's records
  holidays: /HolidayPreview|HolidayEffects|date-holidays|(preview|list)Holidays|holidays\/preview/i,
  series: /series/i,
  statistics: /Statistics|\/statistics|DoctorsWeek|ResourcesWeek/,
  // "iCalendar" alone: files of appointments, and feeds, which the core writes
  calendars:
    /busy_?(source|range)|busy-source|BusySource|caldav|VCALENDAR|RRULE|CalendarServers|calendar_(entry|entries|connection)|calendarProviders/i,
  fhir: /fhir|\bisik/i,
  // "cluster" alone: a data directory of PostgreSQL
  video:
    /WaitingRooms|MeetingRooms|MeetingBus|meeting_dismissals|WebRTC|\bTURN_(URL|SECRET)|\bturn(Url|Secret|Server)|signalling|device ?test/i,
  console: /console/i,
  // "forms" alone: those of pages, and shapes
  forms: /form_uid|FormItem|form_responses|form_files|form_versions|request_types|let_ins/,
  audit: /audit_(chain|heads|sealing|settled)|Audit(Chain|Reader|Page)|audit-log|\bmanagement\.audit/,
  "patient-rights":
    /PatientRights|PatientExport|patient_rights|BothHaveAccounts|retained_?record|\berasures\b|patient\.(merged|exported|erased)/i,
  "public-booking": /public[-_ ]?booking/i,
  "waiting-list": /wait(list|ing.list)/i,
  "key-rotation": /KeyRotation|Resealing/,
  retention: /deleteExpired|operation\/Retention/,
  "development-issuer": /DevelopmentIssuer|dev-idp/,
  postgres: /EmbeddedPostgres|PostgresFailed|pgbackrest/i,
  "telemetry-export": /Otlp|redactingTracer/,
  mollie: /[mM]ollieLayer|molliePayments/,
  s3: /S3Files|S3Client/,
  shopify: /makeShopify|GraphqlEndpoint/,
  vault: /vaultTransit/i,
  "record-commands": /OrganisationErasure/,
  provisioning: /ProvisioningFile|provisioning\/Provisioning|addedList\b|ListOfFile/,
  "appointment-page": /AppointmentPages|BookAgain|earlierTimes/,
  "shop-orders": /OrderIntake|OrderWebhook|orderContents/,
  "operator-commands": /ordersCommand|payoutsCommand|webhooksCommand|keysCommand|databaseLoginCommand/,
  "practice-records": /RecordsApi|ShopRecords|Rectification/,
  "process-reports": /heartbeats|processMeters/,
  "request-log": /RequestLog|RequestEntry/,
  signatures: /SignatureExaminer|mupdf|pkijs|brainpool/i,
  "embedded-shop": /EmbeddedShop|EmbeddedCheckout/,
  cluster: /citus|\ba cluster|cluster'?_|isCluster|distribut|rebalanc/i
}

/** Settings and permissions, which are always known, and words of the trade that mean something else. */
const OTHERWISE =
  /Console\.(log|error|withConsole)|\bConsole\b(?=, | \})|console\.(info|warn|log)\(|withConsole(Log|Error)|log-level-console|"provider", "console"|'console' END|series_uid|SeriesUid|generate_series|SANDBOX(_PERMISSION)?\b|"sandbox:clock"|Effect\.sandbox/g

/**
 * Files of the core that are about something else of the same name: all settings, which stand in one place.
 */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  video: /^src\/config\.ts$/,
  calendars: /^src\/config\.ts$/,
  vault: /^src\/config\.ts$/
}

export const wordFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter(({ path }) => /^src\/.*\.(tsx?|sql|css)$/.test(path) && !path.startsWith("src/capabilities/"))
    .flatMap(({ path, text }) =>
      text
        .replaceAll(OTHERWISE, "")
        .split("\n")
        .flatMap((line, index) =>
          Object.entries(WORDS).flatMap(([name, word]) =>
            word.test(line) && !ELSEWHERE[name]?.test(path)
              ? [`${path}:${index + 1}: a word of the capability ${name}: ${line.trim().slice(0, 80)}`]
              : []
          )
        )
    )

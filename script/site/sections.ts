/** The structure of the documentation: the repository's pages, with their paths and labels on the site. */
export interface Source {
  readonly file: string
  readonly path: string
  readonly label: string
}
export interface Chapter {
  readonly label: string
  readonly sources: ReadonlyArray<Source>
}

const guide = (file: string, label: string, path = file): Source => ({
  file: `docs/partners/${file}.md`,
  path: `guides/${path}`,
  label
})

const rules = (file: string, label: string): Source => ({
  file: `docs/specification/${file}.md`,
  path: `specification/${file}`,
  label
})

export const chapters: ReadonlyArray<Chapter> = [
  {
    label: "Guides",
    sources: [
      guide("clients", "Quick start in your language", "quick-start"),
      guide("booking", "Booking, step by step"),
      guide("moving", "Cancel and move"),
      guide("webhooks", "Webhooks"),
      guide("prescriptions", "Prescriptions"),
      guide("pharmacy", "Pharmacies"),
      guide("errors", "Errors"),
      guide("command-line", "Command line"),
      guide("sandbox", "Sandbox clock"),
      { file: "docs/fhir.md", path: "guides/fhir", label: "FHIR" },
      { file: "docs/provisioning.md", path: "guides/provisioning", label: "Provisioning" },
      guide("going-live", "Going live"),
      guide("decisions", "What to rely on", "what-to-rely-on"),
      guide("versions", "Versions and deprecation"),
      { file: "CHANGELOG.md", path: "changelog", label: "Changelog" }
    ]
  },
  {
    label: "Specification",
    sources: [
      { file: "docs/specification.md", path: "specification", label: "Contents and terms" },
      rules("01-access", "1 Access"),
      rules("02-requests", "2 Requests, errors, limits"),
      rules("03-time-and-slots", "3 Time and slots"),
      rules("04-booking", "4 Booking"),
      rules("05-links-and-meetings", "5 Links and meetings"),
      rules("06-events", "6 Events"),
      rules("07-management", "7 Management"),
      rules("08-staff", "8 Doctors, administrators"),
      rules("09-prescriptions", "9 Prescriptions"),
      rules("10-pharmacy", "10 Pharmacies"),
      rules("11-checkout", "11 Checkout"),
      rules("12-organisations", "12 Organisations"),
      rules("13-audit", "13 Audit"),
      rules("14-operation", "14 Operation"),
      rules("18-resources", "18 What an appointment takes"),
      rules("19-waiting-list", "19 The waiting list"),
      rules("20-fhir", "20 FHIR"),
      rules("22-forms", "22 Forms")
    ]
  }
]

/** Files for download, by their names on the site. */
export const downloads: Readonly<Record<string, string>> = {
  "partner.mjs": "clients/typescript/examples/partner.mjs",
  "partner.py": "clients/python/partner.py",
  "partner.php": "clients/php/partner.php",
  "receiver.mjs": "docs/partners/examples/receiver.mjs"
}

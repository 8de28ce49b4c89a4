/** The interface's documents: OpenAPI, the pages below /docs, and what machines read of them. Rules 2.1.4 and 14.6. */
import { capability } from "../../capability.ts"
import { DocumentationHttp } from "./http/DocumentationHttp.ts"
import { exampleFile } from "./services/provisioningExample.ts"

export const documentationCapability = capability({
  name: "documentation",
  switched: false,
  http: DocumentationHttp,
  provisioningExample: exampleFile
})

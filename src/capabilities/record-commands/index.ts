/** Commands on what is kept of patients and organisations, whatever is switched off: rectifying, consents, and erasing an organisation. */
import { capability } from "../../capability.ts"
import { recordCommands } from "./services/recordCommands.ts"

export const recordCommandsCapability = capability({
  name: "record-commands",
  switched: false,
  commands: recordCommands
})

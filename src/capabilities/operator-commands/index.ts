/** Commands for what an operator mends, and booking tokens for trying out. */
import { capability } from "../../capability.ts"
import { operatorCommands } from "./services/operatorCommands.ts"

export const operatorCommandsCapability = capability({
  name: "operator-commands",
  switched: false,
  commands: operatorCommands
})

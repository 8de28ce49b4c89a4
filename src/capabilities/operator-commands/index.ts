/** Commands for keys and database users, for what an operator mends, and booking tokens for trying out. */
import { capability } from "../../capability.ts"
import { databaseLoginCommand } from "./services/databaseLoginCommand.ts"
import { keysCommand } from "./services/keysCommand.ts"
import { operatorCommands } from "./services/operatorCommands.ts"

export const operatorCommandsCapability = capability({
  name: "operator-commands",
  switched: false,
  commands: [databaseLoginCommand, keysCommand, ...operatorCommands]
})

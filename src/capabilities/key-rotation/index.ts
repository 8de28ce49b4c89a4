/** Rotation of the master key and of organisations' keys, while the service serves. Rules 14.2.23 and 15.1.7. */
import { capability } from "../../capability.ts"
import { rotateKeyCommand, secretsCommand } from "./services/rotationCommands.ts"

export const keyRotationCapability = capability({
  name: "key-rotation",
  switched: false,
  commands: [rotateKeyCommand, secretsCommand]
})

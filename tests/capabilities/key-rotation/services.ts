import { Layer } from "effect"
import { DataKeyRotation } from "../../../src/capabilities/key-rotation/services/DataKeyRotation.ts"
import { MasterKeyRotation } from "../../../src/capabilities/key-rotation/services/MasterKeyRotation.ts"

export const keyRotationServices = Layer.merge(DataKeyRotation.Default, MasterKeyRotation.Default)

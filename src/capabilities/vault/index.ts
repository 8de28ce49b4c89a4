/** Data keys wrapped by the transit engine of Vault or OpenBao. Rule 15.1.6. */
import { capability } from "../../capability.ts"
import { vaultTransit } from "./layers/VaultTransit.ts"

export const vaultCapability = capability({
  name: "vault",
  switched: false,
  keyService: ({ vault }) => vault && vaultTransit(vault)
})

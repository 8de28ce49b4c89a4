/** An identity provider for development: whoever reads the data directory can act as any person. Section 1.10. */
import { Effect, Option } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { DevelopmentIssuer, DevelopmentIssuerLive } from "../shared/services/DevelopmentIssuer.ts"
import { DevelopmentIssuerApi } from "./http/DevelopmentIssuerApi.ts"
import { DevelopmentIssuerHttp } from "./http/DevelopmentIssuerHttp.ts"
import { idpCommand } from "./services/idpCommand.ts"

export const developmentIssuerCapability = capability({
  name: "development-issuer",
  switched: false,
  services: DevelopmentIssuerLive,
  api: DevelopmentIssuerApi,
  http: DevelopmentIssuerHttp,
  commands: [idpCommand],
  extension: Effect.map(DevelopmentIssuer, (issuer) => extension({ verify: Option.getOrUndefined(issuer)?.verify }))
})

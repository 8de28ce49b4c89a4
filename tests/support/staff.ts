import { Effect } from "effect"
import * as DevelopmentIssuer from "../../src/capabilities/shared/services/DevelopmentIssuer.ts"
import { Settings } from "../../src/config.ts"
import type { TestServer } from "./server.ts"
import type { World } from "./world.ts"

type Person = Partial<DevelopmentIssuer.Person>

/** An access token of the server's development issuer. */
export const accessToken = (server: TestServer, person: DevelopmentIssuer.Person) =>
  server.run(
    Effect.flatMap(Settings, ({ dataDir, baseUrl, oidc }) =>
      DevelopmentIssuer.mint({ dataDir, baseUrl, audience: oidc.audience }, person)
    )
  )

/** An access token of an administrator of the world's organisation. */
export const adminOf = (server: TestServer, world: World, changes: Person = {}) =>
  accessToken(server, { organisation_uid: world.organisation_uid, role: "admin", ttlSeconds: 300, ...changes })

/** An access token of a doctor of the world's organisation, by default the first. */
export const doctorOf = (server: TestServer, world: World, doctor_uid: string = world.doctor, changes: Person = {}) =>
  accessToken(server, {
    organisation_uid: world.organisation_uid,
    role: "doctor",
    doctor_uid,
    ttlSeconds: 300,
    ...changes
  })

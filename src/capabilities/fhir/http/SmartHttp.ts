/** SMART backend services: the configuration, and the exchange of an assertion for an access token. Rule 20.3. */
import { HttpServerRequest, HttpServerResponse, UrlParams } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { admitCredential } from "../../../http/admission/Admission.ts"
import { inClass } from "../../../http/admission/costClasses.ts"
import { Routes } from "../../../http/inRequest.ts"
import { reply } from "../../../http/problems.ts"
import { enter } from "../../../services/tenancy/Tenancy.ts"
import { offeredScopes } from "../schemas/rights.ts"
import { FhirSettings } from "../services/FhirSettings.ts"
import { FhirTokens, type TokenRefusal } from "../services/FhirTokens.ts"

export const smartConfiguration = (token_endpoint: string) => ({
  token_endpoint,
  grant_types_supported: ["client_credentials"],
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: ["ES384", "RS384"],
  scopes_supported: offeredScopes,
  capabilities: ["client-confidential-asymmetric", "permission-v1", "permission-v2"]
})

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" }
const NO_ROUTE = "No such route: /docs shows the interface"

export const SmartHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const tokens = yield* FhirTokens
    const { isOffered, zoneOf } = yield* FhirSettings

    const whereOffered = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.flatMap(isOffered, (offered) => (offered ? answer : reply(404, "unknown_route", NO_ROUTE)))

    const refused = ({ error, description }: TokenRefusal) =>
      HttpServerResponse.unsafeJson(
        { error, error_description: description },
        { status: error === "invalid_client" ? 401 : 400, headers: NO_STORE }
      )

    const exchange = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const form = yield* request.urlParamsBody
      const field = (name: string) => Option.getOrElse(UrlParams.getFirst(form, name), () => "")
      const { organisation_uid, client_id, ...answer } = yield* inClass("admission")(
        tokens.exchange({
          grant_type: field("grant_type"),
          client_assertion_type: field("client_assertion_type"),
          client_assertion: field("client_assertion"),
          scope: field("scope")
        })
      )
      yield* enter({ organisation_uid, actor: { kind: "api_key", uid: client_id } })
      yield* admitCredential({ id: `fhir-token:${client_id}`, kind: "partner", owner: organisation_uid })
      if (Option.isNone(yield* zoneOf(organisation_uid))) return yield* reply(404, "unknown_route", NO_ROUTE)
      return HttpServerResponse.unsafeJson(answer, { headers: NO_STORE })
    }).pipe(Effect.catchTag("TokenRefusal", (refusal) => Effect.succeed(refused(refusal))))

    yield* router.get(
      "/.well-known/smart-configuration",
      whereOffered(Effect.succeed(HttpServerResponse.unsafeJson(smartConfiguration(tokens.token_endpoint))))
    )
    yield* router.post("/fhir/token", whereOffered(exchange))
  })
).pipe(Layer.provide([FhirTokens.Default, FhirSettings.Default]))

import { Ajv2020 } from "ajv/dist/2020.js"

/** Validates against the schemas of the OpenAPI document. Most are used a few times: to optimise their code costs more than it saves. */
export const validatorOf = (document: object) =>
  new Ajv2020({ strict: false, logger: false, inlineRefs: false, code: { optimize: false } }).addSchema({
    $id: "document",
    ...document
  })

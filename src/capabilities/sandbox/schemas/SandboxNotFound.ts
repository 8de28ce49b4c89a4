import { NotFoundError } from "../../../schemas/DomainError.ts"

/** The sandbox exists only with SANDBOX=true. */
export class SandboxNotFound extends NotFoundError("SandboxNotFound", "Sandbox") {}

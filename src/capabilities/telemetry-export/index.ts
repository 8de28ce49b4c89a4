/** Traces and metrics are sent to an OpenTelemetry collector, without personal data. Rule 14.2.16. */
import { capability } from "../../capability.ts"
import { exporter } from "./layers/exporter.ts"

export const telemetryExportCapability = capability({ name: "telemetry-export", switched: false, exporter })

/** The message that confirms the appointments of a series. Rule 4.12.6. */
export const seriesNotices = { series: { about: "record", places: ["count", "doctor"] } } as const

type Own = typeof seriesNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Own {}
}

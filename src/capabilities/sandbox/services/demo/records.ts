/** Records that both demo practices have. */

const agreement = {
  de: "Ich bin mit der Behandlung in einer Videosprechstunde einverstanden. Die Einwilligung ist freiwillig; ich kann sie jederzeit widerrufen.",
  en: "I agree to being treated in a video consultation. Agreeing is voluntary; I can withdraw my consent at any time.",
  tr: "Görüntülü görüşmeyle tedavi edilmeyi kabul ediyorum. Onay isteğe bağlıdır; onu istediğim zaman geri alabilirim.",
  ar: "أوافق على أن أُعالَج عبر استشارة بالفيديو. الموافقة اختيارية ويمكنني سحبها في أي وقت.",
  uk: "Я погоджуюся на лікування під час відеоприйому. Згода добровільна, я можу відкликати її будь-коли.",
  ru: "Я согласен или согласна на лечение на видеоприёме. Согласие добровольное, его можно отозвать в любое время."
}

export const consent = [
  {
    purpose: "video",
    version: "2026-01",
    required: false,
    texts: Object.entries(agreement).map(([language, text]) => ({ language, text }))
  }
]

/** By mail, and if `send_sms` by SMS too. */
export const reminderOf =
  (appointment_type_uid: string) =>
  (uid: string, recipient_role: "patient" | "doctor", minutes_before: number, send_sms = false) => ({
    uid,
    appointment_type_uid,
    recipient_role,
    minutes_before,
    send_email: true,
    send_sms
  })

/** What the branding of both has in common. */
export const brandingOf = (sender_name: string, accent_colour: string, phone: string, address: string) => ({
  accent_colour,
  phone,
  address,
  imprint_url: "https://example.org/imprint",
  privacy_url: "https://example.org/privacy",
  support_email: "help@example.org",
  sender_name,
  reply_to: "help@example.org"
})

import type { OwnTexts } from "./de.ts"

export const tr: OwnTexts = {
  closed: "Bu muayenehane burada çevrim içi randevu sunmuyor. Lütfen muayenehaneyi arayın.",
  mail: {
    greeting: "Merhaba,",
    subject: "{organisation} için kodunuz: {code}",
    opening: "Bu kodla e-posta adresinizi onaylarsınız. Ardından devam edersiniz.",
    label: "Kod",
    hint: "15 dakika geçerlidir. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz."
  },
  title: "Randevu al",
  nothing: "Şu anda burada randevu sunulmuyor. Lütfen muayenehaneye başvurun.",
  what: "Ne tür bir randevu?",
  how: "Görüntülü mü, muayenehanede mi olsun?",
  who: "Bilgileriniz",
  relative: "Çocuğum veya başka biri için",
  relativeHelp: "Kimin için olduğunu buraya yazın. Mesajlar sizin adresinize gelir.",
  codeNext: "Size e-postayla bir kod göndeririz. Ardından devam edersiniz.",
  showTimes: "Boş saatleri göster",
  next: "Devam",
  codeTitle: "E-postadaki kodu girin",
  codeText: "Size altı rakamlı bir kod gönderdik. 15 dakika geçerlidir. Lütfen istenmeyen postalara da bakın.",
  code: "Kod",
  resend: "Yeni kod gönder",
  startAgain: "Bilgileri değiştir",
  problems: {
    codeSent: "Size yeni bir kod gönderdik.",
    tooMany: "Çok fazla kod istendi. Lütfen bir saat sonra yeniden deneyin veya muayenehaneyi arayın.",
    typeGone: "Bu randevu türü artık sunulmuyor. Lütfen başka bir tür seçin.",
    noMail: "Bu adrese e-posta gönderilemedi. Lütfen adresi kontrol edin.",
    wrongCode: "Kod doğru değil. Lütfen bir daha bakın.",
    codeGone: "Bu kod artık geçerli değil. Lütfen yeni bir kod isteyin."
  },
  faults: {
    meeting_format: "Lütfen randevunun nasıl olacağını seçin.",
    type: "Lütfen bir randevu türü seçin."
  }
}

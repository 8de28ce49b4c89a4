import type { Shape } from "../../../texts/shape.ts"
import type { OwnTexts } from "./de.ts"

export const tr: Shape<OwnTexts> = {
  title: "Bir randevu boşaldı",
  facts: {
    when: "Ne zaman",
    what: "Randevu",
    doctor: "Doktor",
    until: "Sizin için ayrıldı, son saat",
    first: "Ayrılmadı: ilk kabul eden alır. Son yanıt zamanı",
    replaces: "Şu randevunuzun yerine"
  },
  accept: "Bu randevuyu kabul et",
  decline: "Hayır, teşekkürler",
  leave: "Bekleme listesinden çık",
  goOn: "Boş randevuları bildirmeye devam et",
  accepted: { title: "Randevunuz alındı" },
  keeps: "Bekleme listesindeki yeriniz korunuyor. Başka bir randevu boşalınca size haber veririz.",
  declined: { title: "Yanıtınız için teşekkürler" },
  lapsed: {
    title: "Bu teklifin süresi doldu",
    text: "Randevu boş olduğu sürece yine de kabul edebilirsiniz."
  },
  lost: {
    title: "Bu randevu doldu",
    text: "Başka biri biraz daha hızlıydı."
  },
  left: {
    title: "Artık bekleme listesinde değilsiniz",
    text: "Randevularınız olduğu gibi kalır."
  },
  paused: "Üç teklife yanıt vermediniz, bu yüzden şimdilik yeni teklif göndermiyoruz.",
  ask: {
    link: "Uygun randevu yok mu? Bekleme listesine girin",
    short: "Bekleme listesine gir",
    title: "Bekleme listesine girin",
    text: "Uygun bir randevu boşaldığında size sunarız. Kabul edip etmemek size kalmıştır.",
    weekdays: "Hangi günler?",
    open: "Seçim yapmazsanız hepsi uygundur.",
    until: "Ne zamana kadar?",
    days: { 14: "önümüzdeki 2 hafta", 30: "önümüzdeki 4 hafta", 90: "önümüzdeki 3 ay", 180: "önümüzdeki 6 ay" },
    submit: "Bekleme listesine gir",
    change: "İsteklerimi değiştir",
    save: "İsteklerimi kaydet",
    back: "Boş saatlere dön"
  },
  sooner: {
    title: "Daha erken mi?",
    text: "Daha erken bir randevu boşaldığında size sunarız. Erken olanı kabul edene kadar şimdiki randevunuz geçerli kalır.",
    submit: "Daha erken randevu iste",
    waiting: "Daha erken bir randevu bekliyorsunuz. Boşaldığında size haber veririz.",
    leave: "Daha erken randevu beklemekten vazgeç"
  },
  entry: {
    title: "Bekleme listeniz",
    saved: "Bekleme listesindesiniz. Uygun bir randevu boşaldığında size haber veririz.",
    changed: "İstekleriniz kaydedildi. Listedeki yeriniz korunuyor.",
    refused: "Bu artık mümkün değil. Güncel durumu aşağıda görebilirsiniz.",
    tooMany: "Bekleme listesinde zaten birkaç kaydınız var. Lütfen önce birini silin.",
    waiting: "Bir randevu bekliyorsunuz.",
    offered: "Size bir randevu sunduk. Lütfen mesajlarınıza bakın.",
    paused: "Ara verildi: şu anda teklif almıyorsunuz.",
    booked: "Bir randevuyu kabul ettiniz.",
    ended: "Bu kayıt sona erdi.",
    pause: "Ara ver",
    days: "Günler",
    times: "Günün saati",
    until: "Son tarih",
    any: "hepsi",
    sooner: "Şundan önce"
  },
  entered: {
    greeting: "Merhaba,",
    subject: "Bekleme listesindesiniz: {organisation}",
    opening: "Artık bekleme listemizdesiniz. Uygun bir randevu boşaldığında size sunarız.",
    label: "Görüntüle, ara ver veya çık",
    hint: "Bunu siz istemediyseniz bu bağlantıyla listeden çıkabilirsiniz."
  }
}

import type { OwnTexts } from "./de.ts"

export const en: OwnTexts = {
  closed: "This practice does not offer online booking here. Please call the practice.",
  mail: {
    greeting: "Hello,",
    subject: "{code} is your code for {organisation}",
    opening: "With this code you confirm your e-mail address. After that you continue here.",
    label: "Code",
    hint: "It is valid for 15 minutes. If you did not ask for it, you can ignore this e-mail."
  },
  title: "Book an appointment",
  nothing: "No appointments are offered here at the moment. Please contact the practice.",
  what: "What kind of appointment?",
  how: "By video or at the practice?",
  who: "About you",
  relative: "It is about my child or someone else",
  relativeHelp: "Enter who it is about. Messages go to your address.",
  codeNext: "We will send you a code by e-mail. After that you continue here.",
  showTimes: "Show free times",
  next: "Continue",
  codeTitle: "Enter the code from the e-mail",
  codeText: "We have sent you a six-digit code. It is valid for 15 minutes. Please check your spam folder, too.",
  code: "Code",
  resend: "Send a new code",
  startAgain: "Change details",
  problems: {
    codeSent: "We have sent you a new code.",
    tooMany: "Too many codes have just been requested. Please try again in an hour, or call the practice.",
    typeGone: "This type of appointment is no longer offered. Please choose another.",
    noMail: "No e-mail could be sent to this address. Please check it.",
    wrongCode: "The code is not correct. Please check it.",
    codeGone: "This code is no longer valid. Please request a new one."
  },
  faults: {
    meeting_format: "Please choose how the appointment should take place.",
    type: "Please choose a type of appointment."
  }
}

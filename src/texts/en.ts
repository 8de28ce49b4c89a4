import type { Texts } from "./de.ts"

export const en: Texts = {
  page: {
    language: "Language",
    skip: "Skip to content",
    imprint: "Imprint",
    privacyNotice: "Privacy",
    privacy: "No cookies, no tracking, no third parties.",
    notFound: {
      title: "This link is no longer valid",
      booking:
        "To keep you safe, a booking link works for a short time only. An appointment that is already confirmed is not affected.",
      appointment: "The link to your appointment has expired, or its address is incomplete.",
      meeting: "The link to your video call has expired, or its address is incomplete.",
      help: "Please open the link again from where you received it."
    },
    unknown: {
      title: "This page does not exist",
      text: "The address is incomplete or wrong. Please open the link that you received from your practice."
    },
    welcome: {
      title: "Sprechstunde",
      text: "Here you book and manage appointments and meet your practice by video. To do so, open the link that you received from your practice.",
      developers: "Interface for developers"
    },
    failedTitle: "That did not work",
    failedText: "The fault is ours. Please try again in a moment.",
    tooManyTitle: "One moment, please",
    tooManyText: "Very many requests have come from your connection. Please try again in a few seconds.",
    scriptNeeded: "The video call needs JavaScript to be switched on in your browser.",
    attention: "Attention",
    unreachable: "No connection. Nothing is lost: please press once more when you are back on the internet."
  },
  booking: {
    speaks: "speaks {languages}",
    title: { booking: "Book an appointment", rebooking: "Move an appointment" },
    steps: { label: "Progress", time: "Time", details: "Details", done: "Done" },
    headings: {
      booking: { choose: "When would suit you?", details: "One more step", done: "Your appointment is booked" },
      rebooking: {
        choose: "Which new time would suit you?",
        details: "Confirm the new time",
        done: "Your appointment has been moved"
      }
    },
    nextAvailable: "Next available",
    take: "Take this time",
    formats: { DIGITAL: "Video consultation", IN_PERSON: "Appointment at the practice" },
    currentTime: "Your present appointment",
    originalStands: "Your present appointment stands.",
    currentStays: "It stands until you confirm the new time.",
    doctor: "Doctor",
    anyDoctor: "All",
    zone: "Time zone",
    apply: "Show",
    deviceZone: "Your device is set to another time zone. Show times in:",
    days: "Days with free times",
    free: { one: "1 free", other: "{n} free" },
    moreTimes: { one: "1 more time", other: "{n} more times" },
    part: "Time of day",
    parts: { any: "Whole day", morning: "Morning", afternoon: "Afternoon", evening: "Evening" },
    earlier: "Earlier days",
    later: "Later days",
    today: "Today",
    tomorrow: "Tomorrow",
    seatsLeft: { one: "1 seat left", other: "{n} seats left" },
    freeTimes: { one: "1 free time", other: "{n} free times" },
    noneFree: "No time is free at present",
    noneFreeHelp: "Appointments often become free at short notice. Do look in again later.",
    notices: {
      taken: "Someone else has just taken this time. Please choose another.",
      superseded: "This reservation no longer holds. Please choose a time once more.",
      ruleBlocked: "This time is no longer offered. Please choose another.",
      notMovable: "Your present appointment can no longer be moved. Please get in touch with your practice.",
      tooMany: "You already have as many appointments as the practice allows. Please get in touch with your practice."
    },
    typedKept: "What you wrote is not lost.",
    heldFor: "Reserved for you, for {countdown}",
    heldAlmostOver: "Your reservation ends in less than a minute.",
    heldOver: "The reservation has ended. You may still confirm as long as nobody else has taken the time.",
    reserved: "Reserved for you: {day}, {time}, with {doctor}, for {countdown}.",
    continueWith: "Continue with this time",
    for: "for {name}",
    overlap: "You already have an appointment at this time: {day}, {time}, with {doctor}. You may book all the same.",
    overlapMove: "Move that appointment",
    charactersLeft: "{n} characters left",
    typedBefore: "This is what you wrote",
    typeGone: {
      title: "This type of appointment is no longer offered",
      help: "Please get in touch with your practice, which will tell you what suits instead."
    },
    reasonLabel: "What is it about? (optional)",
    reasonHelp: "Only your doctor and the practice's staff read this. It may appear in reminders.",
    confirm: { booking: "Book this appointment", rebooking: "Move the appointment" },
    otherTime: "Choose another time",
    replaces: "Replaces your appointment on",
    doneText: {
      booking: "We look forward to seeing you.",
      rebooking: "The new time holds; the former one is free again."
    },
    doneVideo: "The waiting room opens 10 minutes before the start.",
    calendar: "Add to calendar",
    returnTo: "Continue to {host}",
    mailSent: "A confirmation is sent by e-mail to {address}.",
    manage: {
      help: "This page shows your appointment until it is over. You can also move or cancel it here.",
      rebook: "Move the appointment",
      cancel: "Cancel the appointment",
      calendar: "View, move or cancel: {url}"
    },
    with: "with {doctor}"
  },
  appointment: {
    onSiteTitle: "Appointment at the practice",
    onSiteText: "Please come to the practice a few minutes before the start.",
    movedHere: "Your appointment was moved. This is the new one.",
    preparation: "How to prepare",
    place: "Place",
    cancellationRule: "Cancelling",
    price: "Price",
    deviceTest: "Test camera, microphone and connection now",
    calendars: "Add to calendar:",
    calendarFile: "Apple and others (file)",
    lateTitle: "I am late",
    lateLabel: "By how much?",
    lateMinutes: "{n} minutes",
    late: "Tell the practice",
    lateSaid: "The practice knows that you come about {n} minutes later.",
    again: "Send me a booking link by e-mail",
    againSent:
      "We have sent you a link with which you book a new appointment. It is valid for 30 minutes. Please check your e-mail.",
    title: "Your appointment",
    joinTitle: "Join the video call",
    joinOpen: "The waiting room is open. You check camera and microphone in the next step.",
    joinEarlyTitle: "The waiting room is not open yet",
    joinEarly: "The waiting room opens 10 minutes before the start.",
    joinEarlyHelp: "You can leave this page open.",
    over: "This appointment is over.",
    join: "Enter the waiting room",
    opensToday: "It opens at {time}, {wait}.",
    opensOn: "It opens on {day} at {time}, {wait}.",
    opensIn: "in {countdown} minutes",
    cancelTitle: "Cancel the appointment",
    cancelText: "The time becomes free for someone who needs it.",
    cancelReason: "Reason (optional)",
    cancel: "Cancel the appointment",
    cancelled: "Your appointment is cancelled",
    cancelledText: "It will not take place. Your practice can give you a new one.",
    cancelBlocked: "This appointment can no longer be cancelled here.",
    rebookTitle: "Move the appointment",
    rebookText: "You choose a new time in the next step. Until then this appointment stands.",
    rebook: "Choose a new time",
    rebookBlocked: "This appointment can no longer be moved here.",
    noLonger: "That is not possible now. Below is how things stand.",
    callPractice: "Please get in touch with your practice."
  },
  waitlist: {
    title: "A time has become free",
    facts: {
      when: "When",
      what: "Appointment",
      doctor: "With",
      until: "Held for you until",
      first: "Not held: whoever accepts first has it. Answer until",
      replaces: "Instead of your appointment on"
    },
    accept: "Accept this time",
    decline: "No, thank you",
    leave: "Leave the waiting list",
    goOn: "Go on telling me about free times",
    accepted: {
      title: "Your appointment is booked",
      text: "{type} with {doctor}, {when}."
    },
    declined: {
      title: "Thank you for your answer",
      text: "You keep your place on the waiting list. We tell you when another time becomes free."
    },
    lapsed: {
      title: "This offer has run out",
      text: "You can still try to accept it while the time is free."
    },
    lost: {
      title: "This time is gone",
      text: "Somebody else was a little faster. You keep your place on the waiting list, and we tell you when another time becomes free."
    },
    left: {
      title: "You are no longer on the waiting list",
      text: "Your appointments stay as they are."
    },
    paused: "You have not answered three offers, so we send no more for now."
  },
  recall: {
    title: "Time for your next appointment",
    text: "You can book an appointment now: {type}.",
    book: "Choose a time",
    stop: "Do not remind me again",
    booked: { title: "Your appointment is booked", text: "There is nothing more to do here." },
    cancelled: {
      title: "We will not remind you again",
      text: "If you would like an appointment after all, please contact your practice."
    }
  },
  publicBooking: {
    title: "Book an appointment",
    nothing: "No appointment is offered here at present. Please get in touch with the practice.",
    what: "What kind of appointment?",
    how: "By video or at the practice?",
    who: "About you",
    firstName: "First name",
    lastName: "Last name",
    email: "E-mail",
    phone: "Telephone (optional)",
    birthDate: "Date of birth",
    relative: "The appointment is for a child or someone else",
    relativeHelp: "Then enter here who comes. Messages go to your address.",
    codeNext: "We send you a code by e-mail. After that you choose a time.",
    next: "Continue",
    codeTitle: "Enter the code from the e-mail",
    codeText: "We have sent you a code of six digits. It is valid for 15 minutes. Please look in the spam folder, too.",
    code: "Code",
    toTimes: "On to the times",
    startAgain: "Change details",
    problems: {
      invalid: "Please check what you entered: names, e-mail address, telephone number and date of birth.",
      tooMany: "Very many codes have been asked for. Please try again in an hour, or call the practice.",
      typeGone: "This type of appointment is no longer offered. Please choose another.",
      noMail: "No e-mail could be sent to this address. Please check it.",
      wrongCode: "The code is not right. Please look again.",
      birthDate: "Please enter the date of birth. It tells the practice who is coming.",
      codeGone: "This code is no longer valid. Please start again."
    }
  },
  consent: {
    title: "Consent",
    optional: "voluntary",
    help: "You can withdraw your consent at any time by the link in our mails.",
    missing: "Please agree first: without this consent the practice cannot take the appointment.",
    given: {
      data_processing: "On {day} you agreed to the processing of your health data.",
      video: "On {day} you agreed to video consultations."
    },
    withdraw: "Withdraw consent",
    agree: "Agree"
  },
  meeting: {
    title: "Video call",
    testTitle: "Test camera, microphone and connection",
    testText: "This is how you will be seen and heard. Nobody sees or hears you now.",
    testConnection: {
      checking: "The connection is being checked …",
      good: "The connection for a video call works.",
      none: "No video call is possible from this network. Try another Wi-Fi or your mobile network."
    },
    testBack: "Back to the appointment",
    notifyMe: "Notify me when it is my turn",
    yourTurn: "It is your turn.",
    devices: "Choose camera and microphone",
    shareScreen: "Share screen",
    endSharing: "Stop sharing",
    stepOut: "Step out",
    stepOutAsk: "The patient then waits until you come back.",
    stepOutYes: "Step out now",
    stay: "Stay",
    audioOnly: "The connection is weak. Your picture is not sent, so that the sound stays.",
    pictureAgain: "Send the picture again",
    quality: { good: "Good connection", fair: "Fair connection", poor: "Poor connection" },
    waitExpected: "Probably about {n} more minutes.",
    checkTitle: "Check camera and microphone",
    checkText: "This is how you will be seen. Nobody sees you before you enter.",
    checkAnyway: "You may enter all the same, watch and listen. Nobody sees or hears you then.",
    tryAgain: "Try again",
    camera: "Camera",
    microphone: "Microphone",
    level: "Microphone level",
    testSound: "Play a test sound",
    ownPicture: "Your picture",
    ownCameraOff: "You cannot be seen",
    otherPicture: "Picture of {name}",
    enter: "Enter the waiting room",
    enterDoctor: "Open the consulting room",
    groupName: "Your name in this group (optional)",
    groupHint:
      "Other patients neither see you nor learn your name. If you enter none, the doctor sees “Participant” and a number.",
    askAccess: "Your browser will ask whether camera and microphone may be used.",
    mediaProblems: {
      denied:
        "Your browser may not use camera and microphone. Allow both by the sign to the left of this page's address, then try again.",
      missing: "Neither camera nor microphone is connected.",
      inUse: "Another program is using the camera or the microphone. Close it, then try again.",
      unsupported: "This browser cannot hold video calls. Please use a current one."
    },
    waitTitle: "You are in the waiting room",
    waitNext: "You are next.",
    waitPosition: "{n} before you.",
    waitDoctorAbsent: "Nobody is in the consulting room yet.",
    waitDoctorBusy: "Another conversation is still going on.",
    waitDoctorThere: "{name} knows that you are here and will let you in shortly.",
    waitKeepOpen: "Keep this page open. There is nothing else you need to do.",
    doctorTitle: "Your consulting room",
    doctorEmpty: "Nobody is waiting at present.",
    waitingList: "In the waiting room",
    waitingSince: "for {n} min",
    late: "{name} comes about {n} minutes late.",
    waitingJustNow: "just now",
    admit: "Admit",
    end: "End for both",
    mute: "Mute",
    unmute: "Unmute",
    cameraOff: "Camera off",
    cameraOn: "Camera on",
    leave: "Leave",
    connecting: "Connecting …",
    reconnecting: "The connection was interrupted. It will come back by itself …",
    fill: "Fill the area",
    fit: "Whole picture",
    fullScreen: "Full screen",
    otherCameraOff: "{name} has switched the camera off",
    otherMuted: "Muted",
    otherGone: "{name} is away at the moment. The conversation will go on by itself.",
    endings: {
      left: "You have left the conversation",
      dismissed: "The conversation has ended",
      replaced: "The conversation is open in another window.",
      refused: "This link is no longer valid. Please open it again from where you received it."
    },
    comeBack: "Come back in",
    back: "Back"
  },
  messages: {
    greeting: "Dear {name},",
    subject: {
      reminder: "Reminder: appointment on {when}",
      confirmation: "Appointment confirmed: {when}",
      cancellation: "Appointment cancelled: {when}",
      rebooking: "Appointment moved to {when}"
    },
    opening: {
      reminder: "this is a reminder of your appointment with {counterpart}.",
      confirmation: "your appointment with {counterpart} is confirmed.",
      cancellation: "your appointment with {counterpart} has been cancelled."
    },
    moved: "your appointment with {counterpart} was moved from {from} to {to}.",
    when: "When",
    previously: "Previously",
    what: "Type",
    where: "Where",
    video: "Video consultation",
    onSite: "On site",
    reason: "Reason for the visit",
    join: "Join",
    rebook: "Move the appointment",
    cancel: "Cancel the appointment",
    preparation: "How to prepare",
    manage: "View, move or cancel",
    joinHint: "The room opens 10 minutes before the start.",
    code: {
      greeting: "Hello,",
      subject: "{code} is your code for {organisation}",
      opening: "with this code you confirm your e-mail address. After that you choose a time.",
      label: "Code",
      hint: "It is valid for 15 minutes. If you did not want to book an appointment, please do nothing."
    },
    waitlist: {
      subject: "A time has become free: {when}",
      opening: "a time that you are waiting for has become free.",
      paused: {
        subject: "You are still on the waiting list: shall we go on?",
        opening: "you have not answered our last three offers, so we send no more for now. With one click we go on.",
        sms: "We pause our offers from the waiting list. To go on: {url}"
      },
      sms: "A time has become free: {when}. Answer until {until}: {url}"
    },
    series: {
      subject: "Your {count} appointments",
      opening: "your {count} appointments with {doctor} are confirmed.",
      one: "Appointment {number} of {count}"
    },
    recall: {
      subject: "Time for your next appointment",
      opening: "it is time to arrange your next appointment.",
      note: "Note from your practice",
      book: "Choose a time",
      stop: "Do not remind me again",
      sms: "Time for your next appointment: {url}"
    },
    again: {
      greeting: "Hello,",
      subject: "New appointment at {organisation}",
      opening: "with this link you book a new appointment.",
      label: "Book a new appointment",
      hint: "It is valid for 30 minutes. If you did not ask for it, please do nothing."
    },
    closing: "Kind regards\n{organisation}",
    sms: {
      reminder: "Reminder: your appointment with {counterpart} on {when}.",
      confirmation: "Your appointment with {counterpart} on {when} is confirmed.",
      cancellation: "Your appointment with {counterpart} on {when} has been cancelled.",
      rebooking: "Your appointment with {counterpart} has been moved to {when}."
    },
    calendarTitle: "Appointment: {counterpart}",
    time: "{time}",
    elsewhere: "{time} in {city}"
  },
  zones: {
    "Europe/Berlin": "Berlin",
    "Europe/Vienna": "Vienna",
    "Europe/Zurich": "Zurich",
    "Europe/London": "London",
    "Europe/Lisbon": "Lisbon",
    "Europe/Madrid": "Madrid",
    "Europe/Paris": "Paris",
    "Europe/Rome": "Rome",
    "Europe/Warsaw": "Warsaw",
    "Europe/Athens": "Athens",
    "Europe/Istanbul": "Istanbul",
    "Europe/Kyiv": "Kyiv",
    "Europe/Moscow": "Moscow",
    "Atlantic/Canary": "Canary Islands",
    "Africa/Cairo": "Cairo",
    "Africa/Casablanca": "Casablanca",
    "Africa/Johannesburg": "Johannesburg",
    "Africa/Lagos": "Lagos",
    "America/New_York": "New York",
    "America/Chicago": "Chicago",
    "America/Denver": "Denver",
    "America/Los_Angeles": "Los Angeles",
    "America/Mexico_City": "Mexico City",
    "America/Sao_Paulo": "São Paulo",
    "Asia/Baghdad": "Baghdad",
    "Asia/Damascus": "Damascus",
    "Asia/Dubai": "Dubai",
    "Asia/Kolkata": "Kolkata",
    "Asia/Bangkok": "Bangkok",
    "Asia/Riyadh": "Riyadh",
    "Asia/Shanghai": "Shanghai",
    "Asia/Singapore": "Singapore",
    "Asia/Tokyo": "Tokyo",
    "Australia/Sydney": "Sydney",
    "Pacific/Auckland": "Auckland",
    UTC: "UTC"
  },
  widget: { title: "Book an appointment", fallback: "Book on a page of its own" }
}

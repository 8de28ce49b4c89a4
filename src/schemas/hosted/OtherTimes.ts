/** What pages say of times other than those shown. The texts are of the capability that offers them. */

/** Where patients go whom no time suits: the link after times, alone as a button, and the sentence above the button. */
export interface NoneSuitsTexts {
  readonly link: string
  readonly short: string
  readonly text: string
}

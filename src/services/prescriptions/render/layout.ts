/** Boxes on an A5 sheet in landscape, in points from the upper left corner, and pagination. */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const LEFT = 30
const WIDTH = 535.28

export const title: Box = { x: LEFT, y: 26, width: 380, height: 24 }
export const organisation: Box = { x: LEFT, y: 50, width: 380, height: 24 }
export const qr: Box = { x: LEFT + WIDTH - 62, y: 24, width: 62, height: 62 }
export const uid: Box = { x: LEFT + WIDTH - 220, y: 88, width: 220, height: 14 }

export const patientLabel: Box = { x: LEFT, y: 82, width: 280, height: 10 }
export const patientName: Box = { x: LEFT, y: 92, width: 300, height: 16 }
export const patientDetails: Box = { x: LEFT, y: 112, width: 300, height: 14 }
export const dateLabel: Box = { x: LEFT + WIDTH - 190, y: 108, width: 190, height: 10 }
export const date: Box = { x: LEFT + WIDTH - 190, y: 118, width: 190, height: 16 }

export const tableHead: Box = { x: LEFT, y: 142, width: WIDTH, height: 14 }
export const tableBody: Box = { x: LEFT, y: 158, width: WIDTH, height: 138 }
export const columns = {
  number: { x: LEFT, width: 16 },
  product: { x: LEFT + 20, width: 240 },
  quantity: { x: LEFT + 270, width: 95 },
  dosage: { x: LEFT + 375, width: WIDTH - 375 }
} as const

export const prescriberLabel: Box = { x: LEFT, y: 304, width: 280, height: 10 }
export const prescriberName: Box = { x: LEFT, y: 314, width: 280, height: 16 }
export const prescriberDetails: Box = { x: LEFT, y: 331, width: 280, height: 58 }
export const signature: Box = { x: LEFT + WIDTH - 225, y: 308, width: 225, height: 66 }
export const signatureLabel: Box = { x: LEFT + WIDTH - 225, y: 377, width: 225, height: 10 }
export const footer: Box = { x: LEFT, y: 398, width: WIDTH, height: 10 }

/** Splits rows of these heights into pages, in order; each page has at least one row. */
export const paginate = (heights: ReadonlyArray<number>, room: number): ReadonlyArray<ReadonlyArray<number>> => {
  const pages: Array<Array<number>> = [[]]
  let used = 0
  heights.forEach((height, index) => {
    let page = pages[pages.length - 1] ?? []
    if (page.length > 0 && used + height > room) {
      page = []
      pages.push(page)
      used = 0
    }
    page.push(index)
    used += height
  })
  return pages
}

/** The largest of `sizes` at which `measure` fits into `room`, else the smallest. */
export const largestFitting = (sizes: ReadonlyArray<number>, room: number, measure: (size: number) => number): number =>
  sizes.find((size) => measure(size) <= room) ?? Math.min(...sizes)

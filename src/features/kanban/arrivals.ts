// Cards that are about to appear in a stage, and how: told by what moved them, asked for by what shows them. INTERACTIONS 3.1, 4.

/** From the side on which it had left, or where it was dropped. */
export type Arrival = 'left' | 'right' | 'dropped'

/** Who has not come by then comes unmarked: a stage shown later does not play what happened before. */
const STALE_AFTER_MS = 1_000

const expected = new Map<number, Arrival>()

export function expectArrival(leadId: number, arrival: Arrival) {
  expected.set(leadId, arrival)
  setTimeout(() => expected.get(leadId) === arrival && expected.delete(leadId), STALE_AFTER_MS)
}

/** Asked once: the answer is forgotten. */
export function takeArrival(leadId: number): Arrival | undefined {
  const arrival = expected.get(leadId)
  expected.delete(leadId)
  return arrival
}

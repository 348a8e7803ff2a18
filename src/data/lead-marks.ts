// Marks on leads that only this device has, in localStorage. 'Sair' deletes them.

/** The keys of the marks in localStorage. */
export const LEAD_MARKS = {
  /** The broker wants no next step suggested before tomorrow. */
  notNow: 'next-step.not-now',
  /** The broker wants no plan proposed for three days. */
  noPlan: 'plan.not-now',
  /** The broker put off the question about a visit's outcome. */
  leftVisits: 'visit.left',
  /** The broker said that a message was no promise. */
  noPromises: 'promise.none',
  /** Names of private contacts, which the server does not have. */
  privateNames: 'private.names',
} as const

export function forgetLeadMarks() {
  for (const place of Object.values(LEAD_MARKS)) localStorage.removeItem(place)
}

// Marks on leads that exist on this device only, in localStorage. 'Sair' deletes them.

/** The marks' keys in localStorage. */
export const LEAD_MARKS = {
  /** No next step is wanted before tomorrow. */
  notNow: 'next-step.not-now',
  /** No plan of next tries is wanted for three days. */
  noPlan: 'plan.not-now',
  /** The question about a visit's outcome was put off. */
  leftVisits: 'visit.left',
  /** The broker said that a message was no promise. */
  noPromises: 'promise.none',
  /** Names of private contacts, which the server does not have. */
  privateNames: 'private.names',
} as const

export function forgetLeadMarks() {
  for (const place of Object.values(LEAD_MARKS)) localStorage.removeItem(place)
}

// Marks that a person sets on leads on this device alone, beside its stores. They go with 'Sair'.

/** Where each stands in localStorage. */
export const LEAD_MARKS = {
  /** No next step is wanted before tomorrow. */
  notNow: 'next-step.not-now',
  /** It is not asked now what became of a visit. */
  leftVisits: 'visit.left',
  /** What we wrote to them is no promise. */
  noPromises: 'promise.none',
  /** Who the particular contacts are: the server has no names of them. */
  privateNames: 'private.names',
} as const

export function forgetLeadMarks() {
  for (const place of Object.values(LEAD_MARKS)) localStorage.removeItem(place)
}

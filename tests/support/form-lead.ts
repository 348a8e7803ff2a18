// A lead as a form sends it.
import type { NewLead } from '#server/leads/intake/new-lead.ts'

/** A lead of a form with only a number. */
export const FORM_LEAD: NewLead = {
  name: null,
  number: '5511955500142',
  email: null,
  listing: null,
  isTest: false,
  source: 'form',
  campaign: null,
  development: null,
  message: null,
  fields: {},
  externalId: null,
  consentAt: null,
  consentText: null,
}

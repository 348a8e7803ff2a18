// A lead as a form sends it.
import type { NewLead } from '#server/leads/intake/new-lead.ts'

/** It has a number only. */
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

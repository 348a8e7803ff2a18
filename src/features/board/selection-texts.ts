// Sentences of choosing several leads.
import { type Lead, leadTitle } from '#domain/lead.ts'

export const CHOOSE_KEYS = 'X marca um contato; Shift com X marca até ele.'
export const chooseLabel = (lead: Lead) => `Selecionar ${leadTitle(lead)}`

// Tells cards whose name to show as author of a lead's last outgoing message.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

/** By default 'Você', because on a broker's own board the broker is the author. */
export const CardAuthor = createContext<(lead: Lead) => string>(() => 'Você')

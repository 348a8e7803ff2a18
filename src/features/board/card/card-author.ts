// Provides the name of the author of a lead's last outgoing message, as the board's reader knows it.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

/** On a broker's own board the broker is the author. */
export const CardAuthor = createContext<(lead: Lead) => string>(() => 'Você')

// The agency's name, as the server wrote it into the page: there before anything is asked, and without a signal.
import { PORTAL } from './page-title.ts'

/** Empty where none was given. */
export const AGENCY = PORTAL.slice('Portal do Corretor '.length)

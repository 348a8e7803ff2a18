// The whole of supabase-js, as any other program would use the portal: for the diagnostics page alone, fetched when it is shown.
import { createClient } from '@supabase/supabase-js'
import { accessToken } from './auth.ts'

/** Asks with the session of the app. */
export function wholeClient() {
  return createClient(location.origin, 'portal', { accessToken })
}

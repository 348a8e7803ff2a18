// The full supabase-js client, as an external program would use it. Only the diagnostics page loads it.
import { createClient } from '@supabase/supabase-js'
import { accessToken } from './auth.ts'

/** Uses the app's session. */
export function wholeClient() {
  return createClient(location.origin, 'portal', { accessToken })
}

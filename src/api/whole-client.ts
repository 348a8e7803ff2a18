// The full supabase-js client, as a program outside the portal would use it. Only the diagnostics page loads it.
import { createClient } from '@supabase/supabase-js'
import { accessToken } from './auth.ts'

/** The client has the session of the signed-in user. */
export function wholeClient() {
  return createClient(location.origin, 'portal', { accessToken })
}

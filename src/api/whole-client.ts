// The full supabase-js client, as a program outside the portal would use it. Only the diagnostics page loads it.
import { createClient } from '@supabase/supabase-js'
import { accessToken } from './auth.ts'

/** The full supabase-js client, signed in as the user of the app. */
export function wholeClient() {
  return createClient(location.origin, 'portal', { accessToken })
}

// Changes the user's own password.
import { mutationOptions } from '@tanstack/react-query'
import { changePassword } from '#api/factors.ts'

/** Throws PortalError `invalid_credentials`, `same_password`, `weak_password`. */
export function changeOwnPassword() {
  return mutationOptions({
    mutationFn: ({ current, next }: { current: string; next: string }) => changePassword(current, next),
  })
}

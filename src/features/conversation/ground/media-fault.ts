// Portuguese texts for failed media downloads.
import { PortalError } from '#domain/errors.ts'
import { MEDIA_UNAVAILABLE } from './texts.ts'

export function mediaFault(error: Error): string {
  const isGone = error instanceof PortalError && error.code === 'media.unavailable'
  return isGone ? MEDIA_UNAVAILABLE : error.message
}

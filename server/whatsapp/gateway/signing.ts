// The key with which a gateway signs its deliveries, where it can: made from the secret of the instance's address.
import { createHmac } from 'node:crypto'

/** `secret`: the last segment of the webhook's address. */
export const signingKeyOf = (secret: string): string =>
  createHmac('sha256', secret).update('portal-deliveries').digest('base64url')

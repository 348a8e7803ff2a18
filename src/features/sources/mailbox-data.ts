// Reads and stores the mailbox that an e-mail source polls.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const Mailbox = v.pipe(
  v.object({
    host: v.string(),
    port: v.number(),
    username: v.string(),
    folder: v.string(),
    isOn: v.boolean(),
    readAt: v.nullable(timeMs),
    fault: v.nullable(v.picklist(['password', 'address', 'folder', 'late', 'connection'])),
    isStopped: v.boolean(),
  }),
  v.transform(({ readAt, ...mailbox }) => ({ ...mailbox, readAtMs: readAt })),
)
export type Mailbox = v.InferOutput<typeof Mailbox>
const Answer = v.object({ mailbox: v.nullable(Mailbox) })

const NEWS_EVERY_MS = 15_000

export function mailboxQuery(sourceId: string) {
  return queryOptions({
    queryKey: keys.mailbox(sourceId),
    queryFn: async ({ signal }): Promise<Mailbox | null> =>
      v.parse(Answer, await portal(`/api/leads/mailboxes/${sourceId}`, { signal })).mailbox,
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

export type MailboxChange = Pick<Mailbox, 'host' | 'port' | 'username' | 'folder' | 'isOn'> & {
  /** Undefined leaves the stored password as it is. */
  password?: string
}

/** Stores the mailbox of a source. Throws PortalError `mailbox.no-password`, `mailbox.too-many`, `request.invalid`. */
export function setMailbox(sourceId: string) {
  return mutationOptions({
    mutationFn: async (change: MailboxChange, { client }) => {
      const answer = await portal(`/api/leads/mailboxes/${sourceId}`, { method: 'PUT', body: change })
      client.setQueryData(keys.mailbox(sourceId), v.parse(Answer, answer).mailbox)
    },
  })
}

export function removeMailbox(sourceId: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await portal(`/api/leads/mailboxes/${sourceId}`, { method: 'DELETE' })
      client.setQueryData(keys.mailbox(sourceId), null)
    },
  })
}

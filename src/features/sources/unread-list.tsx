// 'Não lidos': lists unreadable deliveries with what each lacks. A button reads them again.
import { countOf } from '#domain/count.ts'
import { formatHour, formatDay } from '#domain/format.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { readAgain, type Unread, unreadQuery } from './data.ts'
import { READ_FAILED, READING, readText } from './texts.ts'
import { UnreadDialog } from './unread-dialog.tsx'

/** For example 'hoje, 08:12', '21/11/2026, 19:40'. */
const momentText = (ms: number, nowMs: number) => `${formatDay(ms, nowMs).toLowerCase()}, ${formatHour(ms)}`

const READ_AGAIN = 'Ler de novo'

const SEE_BODY = 'Ver conteúdo'

const unreadTitle = (count: number) =>
  countOf(count, 'entrega que não conseguimos ler', 'entregas que não conseguimos ler')

/** How many deliveries at most are read again together. */
const MAX_AT_ONCE = 200

export function UnreadList() {
  const { data: unread = [] } = useQuery(unreadQuery())
  const isOnline = useIsOnline()
  const [opened, setOpened] = useState<Unread | null>(null)
  const { mutate, isPending, variables } = useMutation({
    ...readAgain(),
    onSuccess: (read) => {
      const { text, tone } = readText(read)
      toast(text, tone)
    },
    onError: () => toast(READ_FAILED, 'error'),
  })
  return (
    <>
      {unread.length > 0 && (
        <section
          aria-label={unreadTitle(unread.length)}
          className="overflow-hidden rounded-lg bg-surface shadow-card"
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
            <Icon of={FileWarning} size={20} className="text-warning" />
            <h2 className="min-w-40 grow text-15 font-semibold">{unreadTitle(unread.length)}</h2>
            <Button
              variant="soft"
              size="small"
              disabled={!isOnline}
              busy={isPending && variables.length > 1 && READING}
              onClick={() => mutate(unread.slice(0, MAX_AT_ONCE).map(({ id }) => id))}
            >
              Ler todas de novo
            </Button>
          </div>
          <ul className="max-h-96 overflow-y-auto">
            {unread.map((one) => (
              <UnreadRow
                key={one.id}
                unread={one}
                isOnline={isOnline}
                isReading={isPending && variables.length === 1 && variables[0] === one.id}
                onRead={() => mutate([one.id])}
                onOpen={() => setOpened(one)}
              />
            ))}
          </ul>
        </section>
      )}
      <UnreadDialog unread={opened} onClose={() => setOpened(null)} />
    </>
  )
}

type UnreadRowProps = {
  unread: Unread
  isOnline: boolean
  isReading: boolean
  onRead: () => void
  onOpen: () => void
}

function UnreadRow({ unread, isOnline, isReading, onRead, onOpen }: UnreadRowProps) {
  const nowMs = useNow()
  const { keyName, receivedAtMs, fault } = unread
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-5 py-2.5 shadow-[0_-1px_0_var(--color-border)]">
      <span className="min-w-44 grow basis-0 text-14">
        <strong className="font-medium wrap-anywhere">{keyName}</strong>
        <span className="text-text-3 tabular-nums"> · {momentText(receivedAtMs, nowMs)}</span>
      </span>
      <span className="min-w-44 grow-[2] basis-0 text-14 wrap-anywhere text-text-2">{fault}</span>
      <span className="flex gap-2">
        <Button
          variant="line"
          size="small"
          aria-label={`${SEE_BODY} de ${keyName}`}
          disabled={!isOnline}
          onClick={onOpen}
        >
          {SEE_BODY}
        </Button>
        <Button
          variant="line"
          size="small"
          aria-label={`${READ_AGAIN}: ${keyName}`}
          disabled={!isOnline}
          busy={isReading && READING}
          onClick={onRead}
        >
          {READ_AGAIN}
        </Button>
      </span>
    </li>
  )
}

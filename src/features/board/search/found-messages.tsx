// Messages found by a search: those that the device stores at once, and the portal's when they have come.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import {
  findAtPortal,
  type FoundMessage,
  foundAtPortalQuery,
  foundOnDeviceQuery,
  type FoundPage,
} from '#data/messages/search.ts'
import { wantMessage } from '#data/messages/wanted-message.ts'
import { formatDate, formatDateTime } from '#domain/format.ts'
import { excerptOf, searchWords } from '#domain/message/found.ts'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'

type FoundMessagesProps = {
  text: string
  /** The boards whose leads are searched. */
  brokers: readonly string[]
  onOpen: (leadId: number) => void
  className?: string
}

/** While somebody types, nothing is asked. */
const SETTLES_AFTER_MS = 300
const NONE: readonly FoundMessage[] = []

export function FoundMessages({ text, brokers, onOpen, className = '' }: FoundMessagesProps) {
  const query = useSettled(text)
  if (searchWords(query) === null || brokers.length === 0) return null
  return (
    <section aria-label="Mensagens" className={classNames('flex flex-col gap-2', className)}>
      <h2 className="text-17 font-semibold">Mensagens</h2>
      <Found key={JSON.stringify([query, brokers])} {...{ query, brokers, onOpen }} />
    </section>
  )
}

function Found({
  query,
  brokers,
  onOpen,
}: { query: string } & Pick<FoundMessagesProps, 'brokers' | 'onOpen'>) {
  const isOnline = useIsOnline()
  const asked = { query, brokers }
  const { data: stored = NONE } = useQuery(foundOnDeviceQuery(asked))
  const portal = useQuery({ ...foundAtPortalQuery(asked), enabled: isOnline })
  const [older, setOlder] = useState<readonly FoundPage[]>([])
  const pages = portal.data ? [portal.data, ...older] : []
  const { mutate, isPending, error } = useMutation({
    mutationFn: (before: number) => findAtPortal(asked, before),
    onSuccess: (page) => setOlder([...older, page]),
  })
  const until = pages.at(-1)?.until ?? null
  const here = new Set(stored.map(({ id }) => id))
  const there = [...new Map(pages.flatMap(({ messages }) => messages).map((one) => [one.id, one])).values()]
  const more = there.filter(({ id }) => !here.has(id))
  const fault = error ?? portal.error
  const words = searchWords(query) ?? []
  return (
    <>
      <Group
        title="No aparelho"
        messages={stored}
        {...{ words, onOpen }}
        none="Nada nas conversas guardadas aqui."
      />
      <Group
        title="No portal"
        messages={more}
        {...{ words, onOpen }}
        none={
          !isOnline
            ? 'Sem conexão: só o que está no aparelho.'
            : fault
              ? `Erro ao buscar: ${fault.message}`
              : portal.data
                ? until === null
                  ? here.size > 0
                    ? 'Nada além disso.'
                    : 'Nenhuma mensagem encontrada.'
                  : `Nada desde ${formatDate(until * 1000)}.`
                : 'Buscando…'
        }
      />
      {isOnline && until !== null && (
        <Button variant="line" busy={isPending && 'Buscando…'} onClick={() => mutate(until)}>
          Buscar mais antigas
        </Button>
      )}
    </>
  )
}

type GroupProps = {
  title: string
  messages: readonly FoundMessage[]
  words: readonly string[]
  none: string
  onOpen: (leadId: number) => void
}

function Group({ title, messages, words, none, onOpen }: GroupProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-13 font-medium text-text-3">{title}</h3>
      {messages.length === 0 && <output className="text-14 text-text-2">{none}</output>}
      <ul className="flex flex-col gap-1.5 empty:hidden">
        {messages.map((message) => (
          <li key={message.id}>
            <Result {...{ message, words, onOpen }} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Result({
  message,
  words,
  onOpen,
}: { message: FoundMessage } & Pick<GroupProps, 'words' | 'onOpen'>) {
  const { id, contactId, title, sentAtSeconds, isOwn, body } = message
  const open = () => {
    wantMessage(contactId, id)
    onOpen(contactId)
  }
  return (
    <button
      type="button"
      onClick={open}
      className="block min-h-11 w-full rounded-card bg-surface px-3.5 py-2.5 text-left shadow-card"
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 grow truncate text-15 font-semibold">{title}</span>
        <time className="shrink-0 text-12 text-text-3 tabular-nums">
          {formatDateTime(sentAtSeconds * 1000)}
        </time>
      </span>
      <span className="block text-14 wrap-anywhere text-text-2">
        {isOwn && 'Nós: '}
        {excerptOf(body, words).map((piece, at) =>
          piece.isFound ? (
            // The pieces of one text never change their order.
            <mark key={at} className="rounded-seg bg-primary-soft text-on-primary-soft">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </span>
    </button>
  )
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

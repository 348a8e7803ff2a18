// Searches within one conversation, newest matches first, and loads older pages as needed.
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { type Conversation, olderMessages } from '#data/messages/messages.ts'
import type { Message } from '#domain/message/message.ts'
import { foldText } from '#domain/search.ts'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { useBackCloses } from '#ui/primitives/overlay/use-back-closes.ts'
import { SEARCH_MESSAGES } from '../ground/texts.ts'

const foundOf = (place: number, count: number) => `${place} de ${count}`

/** A search needs this many letters, because nearly every message contains any single one. */
const MIN_LETTERS = 2

type MessageSearchProps = {
  conversation: Conversation
  contactId: number
  /** Passes the message to scroll to; null if none. */
  onFound: (message: Message | null) => void
  onClose: () => void
}

export function MessageSearch({ conversation, contactId, onFound, onClose }: MessageSearchProps) {
  const { messages, hasOlder } = conversation
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const older = useMutation(olderMessages(contactId))
  const words = foldText(text)
  const isAsked = words.length >= MIN_LETTERS
  const found = useMemo(
    () => (isAsked ? messages.filter(({ body }) => foldText(body).includes(words)).toReversed() : []),
    [messages, words, isAsked],
  )
  const { mutate, isPending, isError } = older
  // True while the search loads older pages, until it has enough matches or reaches the first message.
  const isReading = isAsked && hasOlder && !isError && found.length <= at
  useEffect(() => {
    if (isReading && !isPending) mutate()
  }, [isReading, isPending, mutate])
  const place = Math.min(at, found.length - 1)
  const shown = found[place] ?? null
  useEffect(() => onFound(shown), [onFound, shown])
  const mayGoBack = place + 1 < found.length || (hasOlder && !isError && found.length > 0)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    // The dialog around the search would close on Escape.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else if (event.shiftKey) setAt(Math.max(place - 1, 0))
    else if (mayGoBack) setAt(place + 1)
  }
  useBackCloses(true, onClose)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => bar.current?.querySelector('input')?.focus(), [])
  return (
    // The field inside takes the keys.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={bar} onKeyDown={onKeyDown} className="flex shrink-0 items-center gap-1 bg-surface px-2 py-1.5">
      <SearchBox
        label={SEARCH_MESSAGES}
        text={text}
        onText={(typed) => {
          setText(typed)
          setAt(0)
        }}
      />
      <output className="shrink-0 px-1 text-13 text-text-2 tabular-nums">
        {isReading ? 'Buscando…' : isAsked && (shown ? foundOf(place + 1, found.length) : 'Nada encontrado')}
      </output>
      <IconButton
        icon={ChevronUp}
        label="Resultado mais antigo"
        disabled={!mayGoBack}
        onClick={() => setAt(place + 1)}
      />
      <IconButton
        icon={ChevronDown}
        label="Resultado mais novo"
        disabled={place <= 0}
        onClick={() => setAt(place - 1)}
      />
      <IconButton icon={X} label="Fechar busca" onClick={onClose} />
    </div>
  )
}

// Renders a conversation as its screen shows it, from the rows that the app requests.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import * as v from 'valibot'
import { ANY_TYPE, COLUMNS } from '#data/messages/newest.ts'
import { MessageRow, toMessage } from '#data/messages/row.ts'
import type { Message } from '#domain/message/message.ts'
import { groupMessages } from '#features/conversation/message/message-groups.ts'
import { MessageBubble } from '#features/conversation/message/message-bubble.tsx'
import { Phone } from '#features/conversation/ground/reader.ts'
import { VoicePlace } from '#features/conversation/voice/voice-place.tsx'

type Call = (address: string) => Promise<{ status: number; body: unknown }>

/** Requests it as the current app does. */
export async function readConversation(call: Call, contactId: number): Promise<Message[]> {
  const order = 'order=timestamp.asc,id.asc'
  const { body } = await call(
    `/rest/v1/whatsapp_messages?select=${COLUMNS}&contact_id=eq.${contactId}&type=${ANY_TYPE}&${order}`,
  )
  return v.parse(v.array(MessageRow), body).map(toMessage)
}

const nothing = () => undefined

/** The HTML of each message. */
export function linesOf(messages: readonly Message[], name = 'Ana', number = '5511987654321'): string[] {
  return groupMessages(messages, 0).map((grouped) =>
    renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <VoicePlace messages={messages}>
          <Phone value={number}>
            <MessageBubble
              grouped={{ ...grouped, day: null }}
              name={name}
              contactId={1}
              isTabStop={false}
              onMenu={nothing}
              onQuote={nothing}
            />
          </Phone>
        </VoicePlace>
      </QueryClientProvider>,
    ),
  )
}

/** The text of each message, without its time. */
export const wordsOf = (messages: readonly Message[]): string[] =>
  linesOf(messages).map((html) =>
    html
      .replaceAll(/<time.*?<\/time>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

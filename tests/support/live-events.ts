// Reads the stream of /api/events: until an event matches, or to its end.
import { readEvent, type PortalEvent } from '#domain/events.ts'

export type HeardEvents = {
  until: (fits: (event: PortalEvent) => boolean) => Promise<PortalEvent>
  /** The rest of the stream, once it has ended properly. */
  toEnd: () => Promise<string>
  close: () => Promise<void>
}

const END = '\n\n'

export function hearEvents({ body }: Response): HeardEvents {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<string | null> => {
    const { value, done } = (await reader?.read()) ?? { done: true }
    return done || value === undefined ? null : value
  }
  /** Received but not parsed yet; its last part may be half an event. */
  let rest = ''
  return {
    until: async (fits) => {
      for (let said: string | null = ''; said !== null; said = await read()) {
        rest += said
        for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
          const event = readEvent(rest.slice(0, end).replace('data: ', ''))
          rest = rest.slice(end + END.length)
          if (event && fits(event)) return event
        }
      }
      throw new Error('the events ended')
    },
    toEnd: async () => {
      let all = rest
      for (let said = await read(); said !== null; said = await read()) all += said
      return all
    },
    close: async () => {
      await reader?.cancel()
    },
  }
}

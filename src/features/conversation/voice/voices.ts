// The played voice messages of a conversation. Each keeps playing, with its position, while its bubble is scrolled out
// of the list. One plays at a time; the next one below follows.
import type { QueryClient } from '@tanstack/react-query'
import { mediaQuery } from '#data/messages/messages.ts'
import type { Message } from '#domain/message/message.ts'
import { mediaFault } from '../ground/media-fault.ts'
import { MEDIA_UNAVAILABLE } from '../ground/texts.ts'
import { soundAlone } from './one-sound.ts'
import { readRate, subscribeRate } from './rate.ts'

export type Heard = {
  isPlaying: boolean
  isFetching: boolean
  atSeconds: number
  /** The file's length; null until it is loaded. */
  length: number | null
  fault: string | null
}

const UNHEARD: Heard = { isPlaying: false, isFetching: false, atSeconds: 0, length: null, fault: null }

export class Voices {
  readonly #client: QueryClient
  #place: HTMLElement | null = null
  readonly #sounds = new Map<number, HTMLAudioElement>()
  readonly #heard = new Map<number, Heard>()
  /**
   * Counts errors per message. The first may come from an expired URL, so a new one is fetched; a second means a broken
   * file.
   */
  readonly #broken = new Map<number, number>()
  /** The message that the user pressed last; another one that finishes loading later does not start. */
  #wantedId: number | null = null
  readonly #listeners = new Set<() => void>()
  #messages: readonly Message[] = []

  constructor(client: QueryClient) {
    this.#client = client
  }

  readonly subscribe = (changed: () => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Replaces the conversation's messages, among which the next voice message is searched. */
  follow(messages: readonly Message[]) {
    this.#messages = messages
  }

  of(id: number): Heard {
    return this.#heard.get(id) ?? UNHEARD
  }

  /** Attaches the audio elements to the page while the conversation is open, and stops them when it closes. */
  readonly holdIn = (place: HTMLElement | null) => {
    if (!place) return undefined
    this.#place = place
    const endRates = subscribeRate(() => {
      for (const sound of this.#sounds.values()) sound.playbackRate = readRate()
    })
    return () => {
      endRates()
      this.#place = null
      this.#wantedId = null
      for (const sound of this.#sounds.values()) sound.pause()
      this.#sounds.clear()
      this.#heard.clear()
      this.#broken.clear()
    }
  }

  toggle(id: number) {
    const sound = this.#sounds.get(id)
    const { isPlaying, isFetching, fault } = this.of(id)
    if (sound && isPlaying) return sound.pause()
    this.#wantedId = id
    if (isFetching) return undefined
    if (sound && fault === null) return this.#play(id, sound)
    this.#broken.delete(id)
    return void this.#fetch(id, sound === undefined)
  }

  seek(id: number, toSeconds: number) {
    this.#change(id, { atSeconds: toSeconds })
    const sound = this.#sounds.get(id)
    if (sound) sound.currentTime = toSeconds
  }

  /** `mayBeKept` allows a cached URL, unless that URL has failed. */
  async #fetch(id: number, mayBeKept: boolean) {
    this.#change(id, { isFetching: true, fault: null })
    try {
      const { url } = await this.#client.fetchQuery({
        ...mediaQuery(id),
        staleTime: mayBeKept ? Infinity : 0,
      })
      if (!this.#place) return
      const sound = this.#sounds.get(id) ?? this.#make(id, this.#place)
      sound.src = url
      this.#change(id, { isFetching: false })
      if (this.#wantedId === id) this.#play(id, sound)
    } catch (cause) {
      if (this.#place && cause instanceof Error)
        this.#change(id, { isFetching: false, fault: mediaFault(cause) })
    }
  }

  #play(id: number, sound: HTMLAudioElement) {
    void sound.play().catch(() => this.#change(id, { isPlaying: false }))
  }

  #make(id: number, place: HTMLElement): HTMLAudioElement {
    const sound = document.createElement('audio')
    sound.preload = 'metadata'
    const hear = (event: keyof HTMLMediaElementEventMap, then: () => void) =>
      // Events that arrive after the conversation was closed are ignored.
      sound.addEventListener(event, () => this.#sounds.get(id) === sound && then())
    hear('play', () => {
      soundAlone(sound)
      this.#change(id, { isPlaying: true })
    })
    hear('playing', () => this.#broken.delete(id))
    hear('pause', () => this.#change(id, { isPlaying: false }))
    hear('loadedmetadata', () => {
      sound.playbackRate = readRate()
      const { duration } = sound
      if (Number.isFinite(duration) && duration > 0) this.#change(id, { length: duration })
      if (this.of(id).atSeconds > 0) sound.currentTime = this.of(id).atSeconds
    })
    hear('timeupdate', () => this.#change(id, { atSeconds: sound.currentTime }))
    hear('ended', () => {
      this.#change(id, { isPlaying: false, atSeconds: 0 })
      this.#playNext(id)
    })
    hear('error', () => this.#fail(id))
    this.#sounds.set(id, sound)
    place.append(sound)
    return sound
  }

  /** Plays the next voice message below. */
  #playNext(id: number) {
    const next = this.#messages[this.#messages.findIndex((message) => message.id === id) + 1]
    if (next?.content.kind === 'audio' && next.content.media.isVoice) this.toggle(next.id)
  }

  #fail(id: number) {
    const count = (this.#broken.get(id) ?? 0) + 1
    this.#broken.set(id, count)
    this.#change(id, { isPlaying: false })
    if (count === 1) void this.#fetch(id, false)
    else this.#change(id, { fault: MEDIA_UNAVAILABLE })
  }

  #change(id: number, change: Partial<Heard>) {
    this.#heard.set(id, { ...this.of(id), ...change })
    for (const listener of this.#listeners) listener()
  }
}

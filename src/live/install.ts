// Whether and how this browser can install the portal, and what the user has answered so far.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

/** Chromium's install prompt, kept until the user wants it. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** `prompt`: the browser shows a prompt. `steps`: the user installs by hand, as on an iPhone. */
export type InstallWay = 'prompt' | 'steps'

/** Why the sheet opens: the user wants it ('asked'), or the app offers it ('offered'). */
export type InstallIntent = 'asked' | 'offered'

const STANDALONE = '(display-mode: standalone), (display-mode: minimal-ui)'
const RECORD_KEY = 'install'

const Record = v.object({
  /** How many windows or tabs the user has opened the app in. */
  sessions: v.number(),
  hasMoved: v.boolean(),
  declines: v.number(),
  declinedAtMs: v.number(),
})
export type InstallRecord = v.InferOutput<typeof Record>

const NOTHING: InstallRecord = { sessions: 0, hasMoved: false, declines: 0, declinedAtMs: 0 }
const StoredRecord = v.pipe(v.string(), v.parseJson(), Record)

let prompt: InstallPrompt | null = null
let isInstalled = false
let intent: InstallIntent | null = null
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Keeps Chromium's install event, which comes once; without a listener the browser would show its own bar. src/start.ts
 * keeps an event that came before this module loaded.
 */
export function listenForInstall() {
  const keep = (event: unknown) => {
    if (!(event instanceof Event) || !('prompt' in event)) return
    event.preventDefault()
    prompt = event as InstallPrompt
    notify()
  }
  if ('installPrompt' in window) keep(window.installPrompt)
  addEventListener('beforeinstallprompt', keep)
  addEventListener('appinstalled', () => {
    prompt = null
    isInstalled = true
    notify()
  })
}

/** Tells how the app can be installed; null if it is installed already, or cannot be. */
export function useInstallWay(): InstallWay | null {
  return useSyncExternalStore(subscribe, installWay)
}

function installWay(): InstallWay | null {
  if (isInstalled || isStandalone()) return null
  if (prompt) return 'prompt'
  return isAppleMobile(navigator) ? 'steps' : null
}

/** True if the app runs from the home screen. iPhones tell it by a property of their own. */
export function isStandalone(): boolean {
  return matchMedia(STANDALONE).matches || ('standalone' in navigator && navigator.standalone === true)
}

/** True on iPhones and iPads. An iPad claims to be a Macintosh, but no Mac has a touch screen. */
export function isAppleMobile({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
}

/** Shows the browser's prompt, which is possible once per page. Resolves with true if the user accepted. */
export async function install(): Promise<boolean> {
  const asked = prompt
  prompt = null
  const answer = await asked?.prompt()
  isInstalled = answer?.outcome === 'accepted'
  notify()
  return isInstalled
}

/** Opens the install sheet; null closes it. */
export function intendInstall(next: InstallIntent | null) {
  intent = next
  notify()
}

export function useInstallIntent(): InstallIntent | null {
  return useSyncExternalStore(subscribe, () => intent)
}

export function installRecord(): InstallRecord {
  const stored = v.safeParse(StoredRecord, localStorage.getItem(RECORD_KEY))
  return stored.success ? stored.output : NOTHING
}

export function noteInstall(change: (record: InstallRecord) => Partial<InstallRecord>) {
  const record = installRecord()
  localStorage.setItem(RECORD_KEY, JSON.stringify({ ...record, ...change(record) }))
}

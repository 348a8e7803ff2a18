// Whether and how this browser can put the portal on the home screen, and what it was told so far.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

/** Chromium's own question, kept until the person asks for it. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** `prompt`: the browser asks; `steps`: the person does it by hand, as on an iPhone. */
export type InstallWay = 'prompt' | 'steps'

/** Why it is shown how: the person asked, or the app offers it. */
export type InstallIntent = 'asked' | 'offered'

const STANDALONE = '(display-mode: standalone), (display-mode: minimal-ui)'
const RECORD_KEY = 'install'

const Record = v.object({
  /** Times the app was opened in a new window or tab. */
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

/** Chromium says it once, and shows a strip of its own where nobody listens: src/start.ts keeps what came before this part. */
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

/** Null where it is installed, runs from the home screen, or cannot be put there. */
export function useInstallWay(): InstallWay | null {
  return useSyncExternalStore(subscribe, installWay)
}

function installWay(): InstallWay | null {
  if (isInstalled || isStandalone()) return null
  if (prompt) return 'prompt'
  return isAppleMobile(navigator) ? 'steps' : null
}

/** An iPhone says so by a property of its own. */
export function isStandalone(): boolean {
  return matchMedia(STANDALONE).matches || ('standalone' in navigator && navigator.standalone === true)
}

/** An iPad says it is a Mac, but no Mac is touched. */
export function isAppleMobile({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
}

/** Shows the browser's question; whether the answer was yes. The browser asks once a page. */
export async function install(): Promise<boolean> {
  const asked = prompt
  prompt = null
  const answer = await asked?.prompt()
  isInstalled = answer?.outcome === 'accepted'
  notify()
  return isInstalled
}

/** Has the sheet shown, from wherever it is asked for; null closes it. */
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

// Firefox's own driver protocol: WebDriver's commands by other names, as JSON over a socket.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { type Driver, DriverError, driverOver, type Send } from './webdriver.ts'

/** WebDriver's requests, and Marionette's names for them. */
const COMMANDS: Readonly<Record<string, string>> = {
  'POST /url': 'WebDriver:Navigate',
  'POST /refresh': 'WebDriver:Refresh',
  'POST /back': 'WebDriver:Back',
  'GET /screenshot': 'WebDriver:TakeScreenshot',
  'POST /actions': 'WebDriver:PerformActions',
  'DELETE /actions': 'WebDriver:ReleaseActions',
  'POST /execute/sync': 'WebDriver:ExecuteScript',
  'POST /click': 'WebDriver:ElementClick',
  'POST /value': 'WebDriver:ElementSendKeys',
}

/**
 * Firefox keeps its window 450 px wide or more, so the page is narrowed inside it, as WebDriver BiDi's setViewport
 * does.
 */
const NARROW = `
  const { style, ownerDocument } = window.gBrowser.selectedBrowser
  for (const side of ['width', 'height'])
    for (const bound of ['min', 'max']) style.setProperty(bound + '-' + side, arguments[0][side] + 'px')
  style.setProperty('flex', 'none')
  ownerDocument.documentElement.style.setProperty('min-width', '0')
`

export async function openMarionette(port: number, size: { width: number; height: number }): Promise<Driver> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const command = speakTo(socket)
  const { sessionId } = await command('WebDriver:NewSession', {})
  if (typeof sessionId !== 'string') throw new DriverError('session not created', 'no session')
  await command('Marionette:SetContext', { value: 'chrome' })
  await command('WebDriver:ExecuteScript', { script: NARROW, args: [size] })
  await command('Marionette:SetContext', { value: 'content' })
  const send: Send = async (method, route, body) => {
    const [, id, deed = route] = /^\/element\/([^/]+)(\/.+)$/.exec(route) ?? []
    const name = COMMANDS[`${method} ${deed}`]
    if (!name) throw new DriverError('unknown command', `${method} ${route}`)
    const full = name === 'WebDriver:TakeScreenshot' ? { full: false } : {}
    const { value } = await command(name, { ...body, ...full, ...(id !== undefined && { id }) })
    return value
  }
  const close = async () => {
    // Firefox answers, and ends.
    await command('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined)
    socket.destroy()
  }
  return driverOver(send, close)
}

type Outcome = { resolve: (result: Record<string, unknown>) => void; reject: (cause: Error) => void }

/** Each packet is its length in bytes, a colon, and JSON: [0, id, name, parameters] or [1, id, error, result]. */
function speakTo(socket: Socket) {
  const waiting = new Map<number, Outcome>()
  let received = Buffer.alloc(0)
  let last = 0
  const take = () => {
    for (let colon; (colon = received.indexOf(':')) >= 0;) {
      const end = colon + 1 + Number(received.subarray(0, colon).toString())
      if (received.length < end) return
      const packet: unknown = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      if (Array.isArray(packet)) settle(packet)
    }
  }
  const settle = ([, id, error, result]: unknown[]) => {
    const outcome = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (error === null) outcome?.resolve((result ?? {}) as Record<string, unknown>)
    else {
      const { error: code, message } = error as { error: string; message: string }
      outcome?.reject(new DriverError(code, message))
    }
  }
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    take()
  })
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new DriverError('disconnected', 'Firefox has ended'))
    waiting.clear()
  }
  socket.on('error', fail).on('close', fail)
  return (name: string, parameters: object) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      const packet = JSON.stringify([0, last, name, parameters])
      socket.write(`${Buffer.byteLength(packet)}:${packet}`)
    })
}

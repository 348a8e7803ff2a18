// Loads the app's chunks as classic scripts. The build puts it in front of the page's first script
// (server/ops/build/classic-scripts.mjs).

type Exports = Record<string, unknown>
type Run = (own: Exports, ...needed: Exports[]) => void
type Chunk = {
  exports: Promise<Exports>
  resolve: (exports: Promise<Exports>) => void
  reject: (cause: Error) => void
}
type Rules = { createScriptURL: (address: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Rules) => Rules }

const chunks = new Map<string, Chunk>()
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
// The names come from the build, never from data.
const policy = trustedTypes?.createPolicy('chunks', { createScriptURL: (address) => address })

/** Returns what the chunk exports, once it and all that it needs have run. A failed one can be loaded again. */
function load(name: string): Promise<Exports> {
  const known = chunks.get(name)
  if (known) return known.exports
  const chunk = begin(name)
  const script = document.createElement('script')
  const address = `/assets/${name}`
  script.src = policy?.createScriptURL(address) ?? address
  script.crossOrigin = ''
  // After a script that has run, this changes nothing.
  const fail = () => chunk.reject(new TypeError(`Failed to load ${address}`))
  script.addEventListener('load', fail)
  script.addEventListener('error', fail)
  document.head.append(script)
  return chunk.exports
}

function begin(name: string): Chunk {
  const chunk = {} as Chunk
  chunk.exports = new Promise((resolve, reject) => Object.assign(chunk, { resolve, reject }))
  chunk.exports.catch(() => chunks.delete(name))
  chunks.set(name, chunk)
  return chunk
}

/** Called by each chunk's script: its file name, the chunks that it imports, and its code. */
function define(name: string, needs: readonly string[], run: Run) {
  const chunk = chunks.get(name) ?? begin(name)
  chunk.resolve(
    Promise.all(needs.map(load)).then((needed) => {
      const own: Exports = {}
      run(own, ...needed)
      return own
    }),
  )
}

Object.assign(globalThis, { chunk: Object.assign(define, { load }) })

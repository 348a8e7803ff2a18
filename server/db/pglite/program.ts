// Reads and compiles the embedded engine's program once in a process. If the engine is opened again, it reuses the
// machine code.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * How many bytes a function has to run through before V8 compiles it again, optimized. At its own 1.8 million (Node 20)
 * a start optimizes what it runs once, which takes a third of its processor time; what runs for longer is as fast
 * either way.
 */
const OPTIMIZE_AFTER_BYTES = 30_000_000

/** The server's types do not include those of browsers, so they lack WebAssembly. */
type Program = object
declare const WebAssembly: { Module: new (bytes: Uint8Array) => Program }

let program: Program | undefined

export function engineProgram(): Program {
  if (program) return program
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZE_AFTER_BYTES}`)
  const file = createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm')
  program = new WebAssembly.Module(readFileSync(file))
  return program
}

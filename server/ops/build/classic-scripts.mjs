// A Vite plugin that makes the app's chunks classic scripts. For those Chromium keeps the compiled code with the file
// that a service worker caches while it installs; for modules it does not, so a slow phone compiles them at each start.
import { readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { inRoot } from '../cli/root.mjs'

const LOADER = inRoot('src/app/chunk-loader.ts')
/** Replaces Vite's helper, which preloads scripts: where the line is slow the browser warns that they are unused. */
const PART_LOADER = inRoot('src/app/load-part.ts')
const VITES_HELPER = '\0vite/preload-helper.js'
const INPUT = '?chunk'
const IMPORT = /\bimport\(([`"'])([^`"']+)\1\)/g
const REQUIRE = /\brequire\(([`"'])([^`"']+)\1\)/g
/** Module syntax. If some is left after the conversion, the browser would refuse the script, so the build stops. */
const LEFT = /\b(?:import\.meta|import\([`"']|require\()/

/** @returns {import('vite').Plugin} */
export const classicScripts = () => {
  let ownCode = ''
  return {
    name: 'classic-scripts',
    apply: 'build',
    enforce: 'pre',
    load: async (id) =>
      id === VITES_HELPER
        ? {
            code: `${await readFile(PART_LOADER, 'utf8')}; export { loadPart as __vitePreload }`,
            moduleType: 'ts',
          }
        : null,
    async buildStart() {
      const files = [LOADER, import.meta.filename]
      ownCode = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join()
    },
    // Files of one name are cached for good, and a name contains a hash of the modules only.
    augmentChunkHash: () => ownCode,
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const codes = await toClassic(new Map(chunks.map(({ fileName, code }) => [fileName, code])))
        for (const chunk of chunks) {
          const code = codes.get(chunk.fileName)
          if (code === undefined) throw new Error(`${chunk.fileName} was not converted`)
          chunk.code = chunk.name === 'start' ? (await loader()) + code : code
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replaceAll('<script type="module" ', '<script defer ')
          .replaceAll('rel="modulepreload"', 'rel="preload" as="script"'),
    },
  }
}

/** @returns {Promise<string>} */
async function loader() {
  const bundle = await rolldown({ input: LOADER })
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false })
  return output[0].code
}

/**
 * Converts ES modules in one folder into scripts that call the loader.
 * @param {ReadonlyMap<string, string>} modules by file name, such as 'assets/app-1234567.js'
 * @returns {Promise<Map<string, string>>}
 */
export async function toClassic(modules) {
  const bundle = await rolldown({
    input: [...modules.keys()].map(asInput),
    // Other chunks use these exports, but this conversion cannot see them, so it must remove nothing.
    treeshake: false,
    checks: { unresolvedImport: false },
    plugins: [
      {
        name: 'chunks',
        resolveId: (id) => (id.endsWith(INPUT) ? id : { id: nameOf(id), external: true }),
        load: (id) =>
          modules.get(fileOf(id))?.replaceAll('import.meta.url', `(location.origin+"/${fileOf(id)}")`),
      },
    ],
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    exports: 'named',
    esModule: false,
    comments: false,
    generatedCode: { symbols: false },
    entryFileNames: '[name].js',
    minify: true,
  })
  return new Map(
    output.flatMap((made) => {
      const file = fileOf((made.type === 'chunk' && made.facadeModuleId) || '')
      return made.type === 'chunk' ? [[file, wrap(file, made.code)]] : []
    }),
  )
}

/** The loader knows chunks by the last part of their address. @param {string} file */
const nameOf = (file) => file.slice(file.lastIndexOf('/') + 1)
/** Distinct from the names that imports contain, so that all imports stay. @param {string} file */
const asInput = (file) => `${file}${INPUT}`
/** @param {string} id */
const fileOf = (id) => id.slice(0, -INPUT.length)

/** @param {string} file @param {string} code of a CommonJS module @returns {string} */
function wrap(file, code) {
  /** @type {string[]} */
  const needs = []
  const body = code
    .replace(REQUIRE, (_, _quote, name) => `$${needs.push(name) - 1}`)
    .replace(IMPORT, (_, _quote, name) => `chunk.load("${name}")`)
  const left = LEFT.exec(body)
  if (left) throw new Error(`${file} has ${left[0]} in …${body.slice(left.index - 40, left.index + 60)}…`)
  const parameters = ['exports', ...needs.map((_, at) => `$${at}`)]
  // V8 compiles a function in parentheses together with its file, not a second time when it is called.
  return `chunk("${nameOf(file)}",${JSON.stringify(needs)},(function(${parameters.join()}){"use strict";${body}}));`
}

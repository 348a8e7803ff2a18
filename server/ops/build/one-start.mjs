// A Vite plugin: puts the bundler's runtime into the page's first script, which would fetch it as a file of its own: a weak
// signal pays for each request.

const RUNTIME = '\0rolldown/runtime.js'
const FIRST = 'start'

/** @returns {import('vite').Plugin} */
export const oneStart = () => {
  let runtimeCode = ''
  return {
    name: 'one-start',
    apply: 'build',
    renderChunk(code, chunk) {
      if (chunk.moduleIds.includes(RUNTIME)) runtimeCode = code
      return null
    },
    // The first script is another one when what it takes in is: browsers keep it by its name.
    augmentChunkHash(chunk) {
      if (chunk.name !== FIRST) return undefined
      if (runtimeCode === '') throw new Error('the runtime is rendered after the first script is named')
      return runtimeCode
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const runtime = chunks.find(({ moduleIds }) => moduleIds.includes(RUNTIME))
        const first = chunks.find(({ name }) => name === FIRST)
        if (!runtime || !first) throw new Error('no chunk holds the runtime, or none is the first script')
        const [from, to] = [runtime, first].map(({ fileName }) => fileName.replace('assets/', ''))
        const exported = /export\{([^}]*)\};?\s*$/.exec(runtime.code)
        if (!from || !to || !exported) throw new Error('the runtime exports otherwise than was expected')
        const names = [...(exported[1] ?? '').matchAll(/([\w$]+) as ([\w$]+)/g)]
        const inner = names.map(([, local, name]) => `${name}:${local}`)
        first.code +=
          `const{${names.map(([, , name]) => `${name}:runtime_${name}`).join()}}=(()=>{` +
          `${runtime.code.slice(0, exported.index)};return{${inner.join()}}})();` +
          `export{${names.map(([, , name]) => `runtime_${name}`).join()}};`
        const imports = new RegExp(`import\\{([^}]*)\\}from"\\./${from.replaceAll('.', '\\.')}"`, 'g')
        for (const chunk of chunks) {
          chunk.code = chunk.code
            .replace(imports, (_all, list) => `import{${prefixed(list)}}from"./${to}"`)
            .replaceAll(`"${runtime.fileName}"`, `"${first.fileName}"`)
          if (chunk !== runtime && chunk.code.includes(from))
            throw new Error(`${chunk.fileName} asks for the runtime otherwise than was expected`)
          chunk.imports = [
            ...new Set(chunk.imports.map((file) => (file === runtime.fileName ? first.fileName : file))),
          ]
        }
        delete bundle[runtime.fileName]
      },
    },
  }
}

/** @param {string} list As `r as e, t`. */
const prefixed = (list) =>
  list
    .split(',')
    .map((name) =>
      name.includes(' as ') ? `runtime_${name.trim()}` : `runtime_${name.trim()} as ${name.trim()}`,
    )
    .join()

// A Vite plugin that writes, for the size budgets, which source is in which chunk and what each chunk loads. The file
// is beside the app, not served.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../cli/root.mjs'

/**
 * @typedef {{ modules: string[], imports: string[], assets: string[] }} Chunk `imports` load with it, at once
 * @typedef {Record<string, Chunk>} ChunkMap by file name
 */

/**
 * @param {string} file
 * @returns {import('vite').Plugin}
 */
export const chunkMap = (file) => ({
  name: 'chunk-map',
  apply: 'build',
  async writeBundle(_, bundle) {
    /** @type {ChunkMap} */
    const map = {}
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk') continue
      const { importedCss, importedAssets } = output.viteMetadata ?? {}
      map[output.fileName] = {
        modules: output.moduleIds.map((id) => path.relative(root, id).split(path.sep).join('/')),
        imports: output.imports,
        assets: [...(importedCss ?? []), ...(importedAssets ?? [])],
      }
    }
    await writeFile(file, JSON.stringify(map))
  },
})

// Writes Brotli and gzip copies of the app's text files at build time, so that serving needs no compression.
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesUnder } from './freshness.mjs'

const TEXT = /\.(css|html|js|json|map|svg|txt|webmanifest|xml)$/
/** Below this a copy saves less than the headers of its answer. */
const SMALLEST_BYTES = 400
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** @param {string} folder */
export async function precompress(folder) {
  const files = (await filesUnder(folder)).filter((file) => TEXT.test(file))
  await Promise.all(files.map(compressFile))
}

/** @param {string} file */
async function compressFile(file) {
  const bytes = await readFile(file)
  if (bytes.length < SMALLEST_BYTES) return
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  await Promise.all([
    toBrotli(bytes, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }).then((packed) => writeFile(`${file}.gz`, packed)),
  ])
}

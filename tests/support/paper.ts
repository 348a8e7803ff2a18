// Reads a PDF with poppler and qpdf, the programs that other people would use (Debian's poppler-utils and qpdf).
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PROGRAMS = ['pdftotext', 'pdfinfo', 'pdffonts', 'qpdf']

/** False where the programs are not installed. */
export const hasPaperPrograms = await run('which', PROGRAMS).then(
  () => true,
  () => false,
)

export async function readPaper(bytes: Uint8Array) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-paper-'))
  const file = path.join(folder, 'conversa.pdf')
  const said = async (program: string, ...args: string[]) =>
    (await run(program, args, { maxBuffer: 64 * 1024 * 1024 })).stdout
  try {
    await writeFile(file, bytes)
    const info = await said('pdfinfo', file)
    return {
      text: await said('pdftotext', '-layout', file, '-'),
      pages: Number(/^Pages:\s+(\d+)$/m.exec(info)?.[1]),
      info,
      // The two lines of the table's head come first.
      fonts: (await said('pdffonts', file)).trim().split('\n').slice(2),
      check: await said('qpdf', '--check', file),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

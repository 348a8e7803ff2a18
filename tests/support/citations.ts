// Finds citations in a line of text that the repository does not contain: a file, a folder, a section, a decision, a
// page's heading.

/** The repository's files and headings. */
export type Held = { files: readonly string[]; headings: ReadonlyMap<string, ReadonlySet<string>> }
export type CitedLine = { file: string; text: string }

/** The start of a comment; a page is text throughout. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|--|#|<!--)|[\s{](?:\/\/|--|\/\*) /u
const FILE =
  /(?<![\w.<*{/-])(?:#|\.{0,2}\/)?(?:[\w.-]+\/)*[\w.-]*\w\.(?:tsx?|mjs|cjs|sql|md|css|jpe?g|png)(?![\w(*])/gu
const FOLDER =
  /(?<![\w./-])(?:src|server|service-worker|supabase|tests|docs|deploy|public)(?:\/(?!\.)[\w-]+)+(?![\w./-]|\*)/gu
const SECTION = /\b(?:[sS]pec|[sS]ection|[cC]hapter|[iI]ssue|§) ?#?\d|\b(?:mock-?ups?|wireframes?)\b/iu
/** 'PAGE 7' and 'PAGE (units)': a document named in capitals, with a place in it. */
const CAPITALS =
  /\b(?!WCAG|APPNOTE)[A-Z][A-Z-]{3,}(?:\.md)? \d+(?:\.\d+)?\b(?! kB)|\b(?!ARQUIVO)[A-Z]{7,} \(\w/u
const DECISION = /\bdecisions? (\d+)/giu
const LINK = /\]\(([^)\s]+)\)|\bsrc="([^"]+)"/gu
/** Built or downloaded files, and names that Supabase's own tools use. */
const MADE = /^(?:main\.mjs|schema\.sql|data\.sql|roles\.sql)$/u

/** Missing citations of a line, as written. */
export function missingIn(line: CitedLine, held: Held): string[] {
  const sections = namesOf(line.text, SECTION)
  if (!line.file.endsWith('.md') && !COMMENT.test(line.text)) return sections
  return [
    ...sections,
    ...namesOf(line.text, CAPITALS),
    ...namesOf(line.text, FILE).filter((name) => !isHere(name, held)),
    ...namesOf(line.text, FOLDER).filter((name) => !isPrefix(name, held)),
    ...decisionsIn(line.text, held),
    ...(line.file.endsWith('.md') ? deadLinks(line, held) : []),
  ]
}

/** A page's headings in the form of links. */
export function headingsOf(page: string): Set<string> {
  const headings = page.matchAll(/^#+ (.+)$/gmu)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function namesOf(text: string, pattern: RegExp): string[] {
  const all = pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
  return [...text.matchAll(all)].map(([name]) => name)
}

/** `a/b/c.ts` may be cited so, as `b/c.ts` or as `c.ts`. */
function isHere(name: string, { files }: Held): boolean {
  const plain = name.replace(/^(?:#|(?:\.{1,2}\/)+|\/)/u, '')
  return MADE.test(plain) || files.some((file) => file === plain || file.endsWith(`/${plain}`))
}

/** A folder, or a file without its extension. */
function isPrefix(name: string, { files }: Held): boolean {
  return files.some((file) => file.startsWith(name) && /^(?:$|[/._-])/u.test(file.slice(name.length)))
}

function decisionsIn(text: string, { files }: Held): string[] {
  return [...text.matchAll(DECISION)]
    .filter(
      ([, number = '']) =>
        !files.some((file) => file.startsWith(`docs/decisions/${number.padStart(4, '0')}-`)),
    )
    .map(([name]) => name)
}

function deadLinks({ file, text }: CitedLine, { files, headings }: Held): string[] {
  const targets = [...text.matchAll(LINK)].map(([, link, image]) => link ?? image ?? '')
  return targets.filter((target) => {
    if (/^[a-z]+:/u.test(target)) return false
    const { pathname, hash } = new URL(target, `file:///${file}`)
    const page = decodeURIComponent(pathname.slice(1))
    if (hash && !headings.get(page)?.has(decodeURIComponent(hash.slice(1)))) return true
    return !files.some((held) => held === page || held.startsWith(`${page}/`))
  })
}

// The first bytes of file formats, enough to recognise them.

const latin = (text: string) => Buffer.from(text, 'latin1')

/** A complete PNG of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const JPEG = latin('\xff\xd8\xff\xe0\x00\x10JFIF\x00')
export const GIF = latin('GIF89a\x01\x00\x01\x00')
export const WEBP = latin('RIFF\x24\x00\x00\x00WEBPVP8 ')
export const MP4 = latin('\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom')
export const QUICKTIME = latin('\x00\x00\x00\x14ftypqt  \x00\x00\x02\x00qt  ')
export const HEIC = latin('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1')
export const THREEGP = latin('\x00\x00\x00\x18ftyp3gp5\x00\x00\x01\x003gp5isom')
export const M4A = latin('\x00\x00\x00\x1cftypM4A \x00\x00\x00\x00M4A isom')
export const WEBM = latin(
  '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm',
)
export const OGG = latin('OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00OpusHead')
export const MP3 = latin('ID3\x04\x00\x00\x00\x00\x00\x00')
export const BARE_MP3 = latin('\xff\xfb\x90\x64\x00\x00')
export const AAC = latin('\xff\xf1\x50\x80\x02\x1f\xfc')
export const AMR = latin('#!AMR\n\x3c')
export const WAV = latin('RIFF\x24\x00\x00\x00WAVEfmt ')
export const PDF = latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
export const DOC = latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00\x00\x00')
export const DOCX = latin(
  'PK\x03\x04\x14\x00\x06\x00[Content_Types].xml' + '\x00'.repeat(60) + 'word/document.xml',
)
export const XLSX = latin(
  'PK\x03\x04\x14\x00\x06\x00[Content_Types].xml' + '\x00'.repeat(60) + 'xl/workbook.xml',
)
export const EXE = latin('MZ\x90\x00\x03\x00\x00\x00')
export const SVG = latin('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
export const HTML = latin('<!doctype html><script>alert(1)</script>')

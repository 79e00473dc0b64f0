/** Puts the page together: a skeleton without data, the data as JSON, and the script that shows it. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64pad } from 'multiformats/bases/base64'
import type { Trace } from '../trace.js'
import { clientScript } from './client/index.js'
import { packed } from './pack.js'
import { SKELETON } from './skeleton.js'
import { STYLES } from './styles/index.js'

/** One self-contained HTML page. The same trace gives the same bytes. */
export function reportOf(trace: Trace): string {
  const { title, seed } = trace.outcome
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(clientScript, STYLES)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title ?? 'Simulation')} · seed ${seed} · dibs sim</title>
<link rel="icon" href="data:,">
<style>${STYLES}</style>
</head>
<body>
${SKELETON}
<script type="application/json" id="trace">${jsonForHtml(packed(trace))}</script>
<script type="module">${clientScript}</script>
</body>
</html>
`
}

/** No network at all, and no script but the one of this page: whatever a run is named, it stays text. */
function policyOf(script: string, styles: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${base64pad.baseEncode(sha256(utf8ToBytes(text)))}`
}

/** Only a `<` could end the script element, or open a comment in it. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

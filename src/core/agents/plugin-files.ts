type PluginRow = readonly [files: string, source: string]

// Files by which an agent loads hooks, servers or code, wherever their folder is.
const PLUGIN_FILES: readonly PluginRow[] = [
  ['\\.(?:claude|codex|cursor)-plugin/', 'code.claude.com/docs, Plugins reference; the same folder of other agents'],
  ['hooks/hooks\\.json$', 'code.claude.com/docs, Plugins reference; geminicli.com/docs, Hooks'],
  ['gemini-extension\\.json$|qwen-extension\\.json$', 'geminicli.com/docs, Extension reference'],
]

const PLUGIN_FILE = new RegExp(`(?:^|/)(?:${PLUGIN_FILES.map(([files]) => files).join('|')})`, 'i')

/** True for a file that makes a folder a plugin of an agent, which may overrule hooks. */
export function isPluginFile(path: string): boolean {
  return PLUGIN_FILE.test(path)
}

/** Put before a command, it makes root obey the modes of files as everybody does: it takes the capabilities away. */
export const AS_UNPRIVILEGED =
  process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all ' : ''

import type { SourcePackages } from './real-sources.ts'

/** Small packages with real code of every language whose declarations kotef lists. */
export const SOURCE_PACKAGES: SourcePackages = {
  npm: [
    ...['rxjs@7.8.1', 'express@4.21.2', 'node-gyp@10.2.0', 'usb@2.14.0', 'leveldown@6.1.1', 'node-addon-api@8.3.0'],
    ...['react-native-safe-area-context@4.10.5', '@react-navigation/elements@1.3.31', 'react-native-fs@2.20.0'],
    ...['cordova-plugin-file@4.3.3', 'cordova-plugin-contacts@2.3.1', 'edge-js@26.1.0', 'nan@2.22.0'],
  ],
  // What they have inside does not change within a release of Debian.
  debian: [
    ...['golang-github-spf13-cobra-dev', 'golang-github-gorilla-mux-dev', 'librust-anyhow-dev', 'librust-indexmap-dev'],
    ...['librust-regex-dev', 'librust-semver-dev', 'php-monolog', 'php-twig', 'ruby-rack', 'ruby-mustermann'],
  ],
}

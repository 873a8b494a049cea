/// The reason why `channels.json` was not reloaded.
package struct ReloadError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

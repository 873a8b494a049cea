/// Reloads `channels.json` on request of the API.
package protocol ChannelsReloading: Sendable {
    /// Reloads the file and applies it.
    ///
    /// - Throws: `JSONFileError` if the file has mistakes, ``ReloadError`` if it cannot be reloaded now; nothing
    ///   is changed then.
    func reload() async throws -> ChannelsReload
}

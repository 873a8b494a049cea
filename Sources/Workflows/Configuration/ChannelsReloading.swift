/// Reads, changes and reloads `channels.json` on request of the API.
package protocol ChannelsReloading: Sendable {
    /// Reloads the file and applies it.
    ///
    /// - Throws: `JSONFileError` if the file has mistakes, ``ReloadError`` if it cannot be reloaded now; nothing
    ///   is changed then.
    func reload() async throws -> ChannelsReload
    /// The file as it is.
    ///
    /// - Throws: `JSONFileError` if it cannot be read.
    func configuration() async throws -> CurrentConfiguration
    /// Writes a change to the file and applies it.
    ///
    /// - Parameters:
    ///   - edit: the change.
    ///   - version: the version that the file must have; `nil` for any.
    ///   - isOnMachine: whether the caller is on the server's machine and may name its files.
    /// - Returns: what has changed, and the file's new version.
    /// - Throws: `JSONFileError` if the file would have mistakes, ``ConfigurationError`` or ``ReloadError`` if it
    ///   cannot be changed; nothing is changed then.
    func change(
        _ edit: ConfigurationEdit, version: String?, isOnMachine: Bool
    ) async throws -> (outcome: ChannelsReload, version: String)
}
